import Cookies
import Primitives

/// The origin of a page (RFC 6454 section 4): scheme, host and port. Two are the same when all three are.
///
///     let origin = WebOrigin("https://app.example/account")
///     print(origin == WebOrigin("https://app.example:443"))    // true
///     print(WebOrigin(isEncrypted: true, host: CookieHost("app.example")!, port: 8443))
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// Whether the scheme is `https`.
    public let isEncrypted: Bool
    /// A name, or an address.
    public let host: CookieHost
    /// Also where the URL does not say it.
    public let port: UInt16

    /// - Parameters:
    ///   - isEncrypted: whether the scheme is `https`.
    ///   - host: a name, or an address.
    ///   - port: `nil`: the one that the scheme has.
    public init(isEncrypted: Bool, host: CookieHost, port: UInt16? = nil) {
        self.isEncrypted = isEncrypted
        self.host = host
        self.port = port ?? (isEncrypted ? 443 : 80)
    }

    /// Of an absolute URL of `http` or `https`; `nil` for anything else, and for `null`.
    public init?(_ url: String) {
        guard let parsed = CookieURL(url), let colon = url.utf8.firstIndex(of: UInt8(ascii: ":")),
            url[..<colon].lowercased().hasPrefix("http")
        else { return nil }
        let rest = url.utf8[colon...].dropFirst(3)
        let authority = rest.prefix { !"/?#\\".utf8.contains($0) }
        // Whoever names a user in an origin wants to look like somebody else.
        guard !authority.contains(UInt8(ascii: "@")) else { return nil }
        var port: UInt16?
        let digits = authority.suffix(while: { $0.isASCIIDigit })
        if !digits.isEmpty, authority.dropLast(digits.count).last == UInt8(ascii: ":") {
            guard let number = UInt16(Substring(digits)) else { return nil }
            port = number
        }
        self.init(isEncrypted: parsed.isEncrypted, host: parsed.host, port: port)
    }

    /// As a URL without a path.
    public var description: String { (isEncrypted ? "https://" : "http://") + authority }

    /// Host, and port where it is not the one of the scheme.
    public var authority: String {
        port == (isEncrypted ? 443 : 80) ? host.text : "\(host.text):\(port)"
    }

    /// Whether a request to this origin could bring the cookie.
    package func isSent(_ cookie: Cookie) -> Bool {
        cookie.isHostOnly ? sameText(cookie.domain, host.text) : host.matches(domain: cookie.domain)
    }
}

extension BidirectionalCollection {
    /// The longest end of which every element is as asked for.
    fileprivate func suffix(while isWanted: (Element) -> Bool) -> SubSequence {
        self[(lastIndex { !isWanted($0) }.map(index(after:)) ?? startIndex)...]
    }
}
