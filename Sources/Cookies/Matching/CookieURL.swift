import Primitives

/// What of a URL matters to cookies: whether it is encrypted, the host and the path. The port does not (RFC 6265bis section
/// 8.5).
///
///     guard let url = CookieURL("https://app.example/account?tab=1") else { return }
///     print(url.host.text, url.path)                              // app.example /account
public struct CookieURL: Hashable, Sendable {
    /// Whether it is `https` or `wss`.
    public let isEncrypted: Bool
    /// Without port and user.
    public let host: CookieHost
    /// Without query and fragment; `/` where the URL has none.
    public let path: String

    /// From parts that somebody else has taken apart.
    ///
    ///     guard let host = CookieHost("app.example") else { return }
    ///     let url = CookieURL(isEncrypted: true, host: host, path: "/account")
    ///
    /// The path is as it is sent. What is none is taken as `/`, as the standard takes it.
    public init(isEncrypted: Bool, host: CookieHost, path: String = "/") {
        self.isEncrypted = isEncrypted
        self.host = host
        self.path = path.utf8.first == UInt8(ascii: "/") && path.utf8.allSatisfy(Self.isURLByte) ? path : "/"
    }

    /// Whoever writes URLs has encoded everything else.
    private static func isURLByte(_ byte: UInt8) -> Bool { byte > 0x20 && byte != 0x7F }

    /// An absolute URL of `http`, `https`, `ws` or `wss`; `nil` for anything else.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard bytes.allSatisfy(Self.isURLByte), let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
            text[bytes.index(after: colon)...].utf8.starts(with: "//".utf8)
        else { return nil }
        switch String(text[..<colon]).lowercased() {
        case "https", "wss": isEncrypted = true
        case "http", "ws": isEncrypted = false
        default: return nil
        }
        let rest = text[bytes.index(colon, offsetBy: 3)...].utf8
        let end = rest.firstIndex { "/?#\\".utf8.contains($0) } ?? rest.endIndex
        guard let host = Self.host(of: rest[..<end]) else { return nil }
        self.host = host
        let pathAndMore = rest[end...]
        let pathEnd = pathAndMore.firstIndex { "?#".utf8.contains($0) } ?? pathAndMore.endIndex
        let path = String(Substring(pathAndMore[..<pathEnd]))
        self.path = path.isEmpty ? "/" : path
        guard self.path.utf8.first == UInt8(ascii: "/") else { return nil }
    }

    private static func host(of authority: Substring.UTF8View) -> CookieHost? {
        var authority = authority
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[authority.index(after: at)...] }
        let closing = authority.lastIndex(of: UInt8(ascii: "]")) ?? authority.startIndex
        if let colon = authority[closing...].lastIndex(of: UInt8(ascii: ":")) {
            guard authority[authority.index(after: colon)...].allSatisfy(\.isASCIIDigit) else { return nil }
            authority = authority[..<colon]
        }
        return CookieHost(String(Substring(authority)))
    }
}
