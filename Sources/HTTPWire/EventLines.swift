/// Takes a stream of server-sent events apart, in whatever pieces it comes (HTML section 9.2.6).
package struct EventLines: Sendable {
    /// One event.
    package struct Message: Hashable, Sendable {
        package fileprivate(set) var kind = ""
        package fileprivate(set) var data = ""
    }

    /// A line that is longer than this is none of ours.
    package static let maximumLineBytes = 1 << 20

    private var line: [UInt8] = []
    private var message = Message()
    /// Whether a line was too long.
    package private(set) var isBroken = false

    package init() {}

    /// The events that are complete with this piece.
    package mutating func take(_ piece: [UInt8]) -> [Message] {
        var complete: [Message] = []
        for byte in piece where !isBroken {
            if byte != UInt8(ascii: "\n") {
                line.append(byte)
                isBroken = line.count > Self.maximumLineBytes
                continue
            }
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            if let message = end(String(decoding: line, as: UTF8.self)) { complete.append(message) }
            line = []
        }
        return complete
    }

    /// An empty line ends an event. One that begins with a colon is a comment: the server shows that it is there.
    private mutating func end(_ line: String) -> Message? {
        guard !line.isEmpty else {
            defer { message = Message() }
            return message.data.isEmpty ? nil : message
        }
        guard let colon = line.firstIndex(of: ":") else { return nil }
        var value = line[line.index(after: colon)...]
        if value.first == " " { value = value.dropFirst() }
        switch line[..<colon] {
        case "event": message.kind = String(value)
        case "data": message.data += message.data.isEmpty ? String(value) : "\n\(value)"
        default: break
        }
        return nil
    }
}
