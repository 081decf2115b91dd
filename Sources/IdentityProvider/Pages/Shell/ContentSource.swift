import OAuth
import Primitives

/// One source in a directive of a content policy (CSP Level 3 section 2.3.1): the origin of an address, or its scheme
/// where the policy's grammar has no word for the origin.
package struct ContentSource: Hashable, Sendable {
    package let text: String

    private init(scheme: StaticString) {
        text = "\(scheme):"
    }

    private static let web = [ContentSource(scheme: "https"), ContentSource(scheme: "http")]

    /// Where a form may lead that ends at a client: to its address, and from there to wherever on the web it sends its users
    /// on, for the browser holds that against the form as well.
    package static func leading(to client: PageURL?) -> [ContentSource] {
        web + [client.flatMap { ContentSource($0) }].compactMap(\.self)
    }

    /// Where an address is. `nil` for a path of ours, which `'self'` covers.
    ///
    /// An app's scheme stands for itself. On a loopback address, every port is allowed: an app listens on the one that
    /// was free (RFC 8252 section 7.3), and what serves its pages is often next door to what took the redirect. The
    /// grammar has neither IPv6 addresses nor, for matching, any IPv4 address but 127.0.0.1: for those it is the scheme.
    package init?(_ url: PageURL) {
        guard let scheme = url.scheme else { return nil }
        guard scheme == "http" || scheme == "https" else {
            text = scheme + ":"
            return
        }
        let rest = url.text.dropFirst(scheme.count + 3)
        let authorityText = rest.prefix { !"/?#".contains($0) }
        guard !authorityText.contains("@"), let authority = Authority(String(authorityText)),
            Self.hasWord(for: authority.host)
        else {
            text = scheme + ":"
            return
        }
        let isLoopback = WebOrigin("\(scheme)://\(authority.host)")?.isLoopback ?? false
        let host = isLoopback ? authority.host + ":*" : authority.text(defaultPort: scheme == "https" ? 443 : 80)
        text = "\(scheme)://\(host)"
    }

    /// CSP Level 3 section 2.3.1, `host-part`: letters, digits and hyphens between dots; section 6.7.2.9: of the IPv4
    /// addresses, 127.0.0.1 alone matches.
    private static func hasWord(for host: String) -> Bool {
        if IPAddressText.isIPv4(host.utf8.span) { return sameText(host, "127.0.0.1") }
        return host.utf8.allSatisfy {
            ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0.isASCIIDigit || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: ".")
        }
    }
}
