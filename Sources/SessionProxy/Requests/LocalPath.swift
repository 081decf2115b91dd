import Primitives

/// A path of the proxy's own origin, perhaps with a query: where a browser may be sent after a login, and nowhere else.
///
/// What browsers read as another host is none: `//evil`, `/\evil`, the same with percent-encoding that somebody behind may take
/// away, and with what browsers drop before they read (tab, CR, LF). Nor is one with dots, which browsers resolve.
///
///     LocalPath("/orders?page=2")
///     LocalPath("//evil.example")         // nil
package struct LocalPath: Hashable, Sendable {
    package let text: String

    package static let root = LocalPath(checked: "/")
    /// In bytes. It stands in a cookie while the user signs in.
    package static let maximumByteCount = 1024
    /// Somebody behind may decode once more than he should, and again.
    private static let decodingRounds = 3

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.first == UInt8(ascii: "/"), bytes.count <= Self.maximumByteCount,
            bytes.allSatisfy(Self.isURLByte)
        else { return nil }
        guard Self.staysHere(bytes.prefix { $0 != UInt8(ascii: "?") }) else { return nil }
        self.init(checked: text)
    }

    private init(checked text: String) { self.text = text }

    /// Without the query.
    var path: Substring { text[..<(text.utf8.firstIndex(of: UInt8(ascii: "?")) ?? text.endIndex)] }

    /// Whether a path, without its query, stays where it is for whoever decodes it, once or several times, and resolves its dots.
    static func staysHere(_ path: some Collection<UInt8>) -> Bool {
        var path = Array(path)
        // What leads elsewhere before it is decoded does so after it, too.
        for _ in 0..<decodingRounds { path = decoded(path) }
        return isHarmless(path) && decoded(path) == path
    }

    /// Visible ASCII but for what browsers change or refuse in a URL (`"<>\^{|}`, the grave accent), and for the fragment.
    private static func isURLByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x22, 0x23, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D: false
        default: byte > 0x20 && byte < 0x7F
        }
    }

    private static func isHarmless(_ path: [UInt8]) -> Bool {
        guard path.count < 2 || (path[1] != UInt8(ascii: "/") && path[1] != UInt8(ascii: "\\")) else { return false }
        guard path.allSatisfy({ $0 >= 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { return false }
        return !path.split(separator: UInt8(ascii: "/")).contains { segment in
            // Some servers take away what stands behind a semicolon before they resolve dots.
            let name = segment.prefix { $0 != UInt8(ascii: ";") }
            return name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
        }
    }

    /// What is no encoding stays.
    private static func decoded(_ path: [UInt8]) -> [UInt8] {
        var decoded: [UInt8] = []
        var index = 0
        while index < path.count {
            if path[index] == UInt8(ascii: "%"), index + 2 < path.count, let high = path[index + 1].hexDigitValue,
                let low = path[index + 2].hexDigitValue
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(path[index])
                index += 1
            }
        }
        return decoded
    }
}
