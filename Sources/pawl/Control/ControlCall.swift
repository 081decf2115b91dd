import HTTPMessages
import Primitives

/// What a command asks of the control API.
struct ControlCall: Sendable {
    let method: HTTPRequest.Method
    /// Below `/_pawl`.
    private(set) var path: String
    var body: JSON?
    var accept = "application/json"

    init(_ method: HTTPRequest.Method, _ path: String, _ body: JSON? = nil) {
        self.method = method
        self.path = path
        self.body = body
    }

    /// Adds a parameter to the query, if there is a value for it.
    mutating func add(_ name: String, _ value: String?) {
        guard let value else { return }
        path += (path.contains("?") ? "&" : "?") + "\(name)=\(Self.segment(value))"
    }

    /// RFC 3986 section 2.1: whatever is not unreserved is encoded, so that nothing in a name ends the segment.
    static func segment(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
                encoded.unicodeScalars.append(.init(byte))
            default: encoded += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return encoded
    }
}
