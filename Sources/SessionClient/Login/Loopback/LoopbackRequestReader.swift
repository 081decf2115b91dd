import HTTPMessages
import OAuth
import Primitives

/// Reads what comes to the loopback interface: one request, strictly, for every program of this machine and every page in its
/// browsers can send something here.
package struct LoopbackRequestReader: Sendable {
    /// What the bytes so far are.
    package enum Reading: Hashable, Sendable {
        case incomplete
        case refused(LoopbackReply)
        /// The whole URL, as a redirect URI with a query.
        case callback(String)
    }

    private let path: String
    private let origin: String
    private let port: UInt16

    /// Of the head of a request. Browsers send a few cookies of other programs on this host too.
    package static let maximumHeadByteCount = 32 << 10
    /// Of the path and the query.
    package static let maximumTargetByteCount = 8 << 10
    /// Of header fields.
    package static let maximumFieldCount = 100

    package init(path: String, origin: String, port: UInt16) {
        self.path = path
        self.origin = origin
        self.port = port
    }

    package func read(_ bytes: [UInt8]) -> Reading {
        guard let lines = Self.lines(of: bytes) else {
            return bytes.count > Self.maximumHeadByteCount ? .refused(.tooLarge) : .incomplete
        }
        guard let requestLine = lines.first, lines.count <= Self.maximumFieldCount + 1 else {
            return .refused(.tooLarge)
        }
        // RFC 9112 section 3: method SP request-target SP HTTP-version.
        let parts = requestLine.split(separator: 0x20, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].allSatisfy(\.isTokenByte),
            parts[2].elementsEqual("HTTP/1.1".utf8) || parts[2].elementsEqual("HTTP/1.0".utf8),
            hasOurHost(lines.dropFirst())
        else { return .refused(.malformed) }
        guard parts[0].elementsEqual("GET".utf8) else { return .refused(.otherMethod) }
        let target = parts[1]
        guard target.count <= Self.maximumTargetByteCount else { return .refused(.tooLarge) }
        guard target.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") }) else {
            return .refused(.malformed)
        }
        guard target.prefix(while: { $0 != UInt8(ascii: "?") }).elementsEqual(path.utf8) else {
            return .refused(.elsewhere)
        }
        return .callback(origin + String(decoding: target, as: UTF8.self))
    }

    /// The lines of a head that is whole.
    private static func lines(of bytes: [UInt8]) -> [ArraySlice<UInt8>]? {
        var lines: [ArraySlice<UInt8>] = []
        var start = 0
        var index = 0
        while index + 1 < min(bytes.count, maximumHeadByteCount) {
            if bytes[index] == 0x0D, bytes[index + 1] == 0x0A {
                if start == index, start > 0 { return lines }
                lines.append(bytes[start..<index])
                start = index + 2
                index = start
            } else {
                index += 1
            }
        }
        return nil
    }

    /// RFC 9112 section 3.2: exactly one Host. A name of somebody else's that was made to lead here (DNS rebinding) is not ours.
    private func hasOurHost(_ fields: ArraySlice<ArraySlice<UInt8>>) -> Bool {
        var hosts: [String] = []
        for field in fields {
            // RFC 9112 section 5.1: no space before the colon, and so no line that goes on from the one before.
            let name = field.prefix { $0 != UInt8(ascii: ":") }
            guard !name.isEmpty, name.count < field.count, name.allSatisfy(\.isTokenByte),
                field.allSatisfy({ $0 >= 0x20 || $0 == 0x09 })
            else { return false }
            guard String(decoding: name, as: UTF8.self).lowercased() == "host" else { continue }
            let value = field.dropFirst(name.count + 1).drop { $0 == 0x20 || $0 == 0x09 }
            hosts.append(String(decoding: value, as: UTF8.self))
        }
        guard hosts.count == 1, let host = Authority(hosts[0]) else { return false }
        return (host.port ?? 80) == port && host.isLoopback
    }
}

/// What came holds the code of a login.
extension LoopbackRequestReader.Reading: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String {
        switch self {
        case .incomplete: "incomplete"
        case .refused(let reply): "refused: \(reply)"
        case .callback: "<redacted>"
        }
    }

    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
