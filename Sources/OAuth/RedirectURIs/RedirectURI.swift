import Primitives

/// Where the answer to an authorization request goes: an absolute URI without a fragment (RFC 6749 section 3.1.2).
///
///     let registered = try RedirectURI("http://127.0.0.1/callback")
///     registered.matches(try RedirectURI("http://127.0.0.1:49152/callback"))      // true
///     registered.appending(query: [("code", code), ("state", state)])
///
/// Shared, for a request and what is remembered of it go through many hands.
package final class RedirectURI: Sendable {
    /// Who is at the other end.
    package enum Kind: Hashable, Sendable {
        case https
        /// Without encryption, to a host that is not this machine.
        case http
        /// RFC 8252 section 7.3: `http` to `127.0.0.1`, `[::1]` or `localhost`.
        case loopback
        /// RFC 8252 section 7.1: an app that owns a scheme.
        case privateUse
    }

    package let kind: Kind
    let uri: AbsoluteURI
    let address: Authority?

    package init(_ text: String) throws(RedirectURIError) {
        do {
            uri = try AbsoluteURI(text, maximumByteCount: Self.maximumByteCount)
        } catch { throw .malformed(error) }
        // Within an authority only user information can have one; browsers take it for that in other places too.
        if let authority = uri.authority, authority.utf8.contains(UInt8(ascii: "@")) { throw .hasUserInformation }
        guard !uri.hasDotSegment else { throw .hasDotSegment }
        let scheme = uri.scheme.lowercased()
        switch scheme {
        case "https", "http":
            address = try Self.address(uri.authority)
            kind = scheme == "https" ? .https : address?.isLoopback == true ? .loopback : .http
        default:
            guard !Self.forbiddenSchemes.contains(scheme) else { throw .forbiddenScheme }
            address = nil
            kind = .privateUse
        }
    }

    /// RFC 8252 section 7.1: an app's own scheme is a domain name in reverse, so it has a period. Strangers are held to
    /// that; whoever runs a provider knows his apps.
    package var hasReverseDomainScheme: Bool {
        kind == .privateUse && uri.scheme.utf8.contains(UInt8(ascii: "."))
    }

    /// Longer than any honest client's, and short enough that the answer still fits into a URL.
    package static let maximumByteCount = 2048

    package var text: String { uri.text }

    /// The host that it leads to; `nil` for an app's own scheme.
    package var host: String? { address?.host }

    private static func address(_ authority: Substring?) throws(RedirectURIError) -> Authority {
        guard let authority, !authority.isEmpty else { throw .missingAuthority }
        guard let address = Authority(String(authority)), !isDisguisedAddress(address.host) else {
            throw .badAuthority
        }
        return address
    }

    /// Whether browsers would read the name as an IPv4 address in another spelling (`127.1`, `0x7f.0.0.1`,
    /// `2130706433`) and go to a host other than the one that stands here: its last label is a number.
    private static func isDisguisedAddress(_ host: String) -> Bool {
        guard !host.hasPrefix("["), !host.withUTF8Span(IPAddressText.isIPv4) else { return false }
        var labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.last?.isEmpty == true { labels.removeLast() }
        guard let last = labels.last, !last.isEmpty else { return true }
        return last.allSatisfy(\.isASCIIDigit)
            || (last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy { $0.hexDigitValue != nil })
    }

    /// What runs in the page that follows it, shows what it carries, or reads from this machine. Never a redirect,
    /// however registered.
    private static let forbiddenSchemes: Set<String> = [
        "about", "blob", "cid", "content", "data", "feed", "file", "filesystem", "ftp", "gopher", "intent", "jar",
        "javascript", "livescript", "mailto", "mhtml", "mid", "resource", "sms", "tel", "urn", "vbscript",
        "view-source", "ws", "wss",
    ]
}

extension RedirectURI: Hashable {
    package static func == (left: RedirectURI, right: RedirectURI) -> Bool { sameText(left.text, right.text) }
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}

extension RedirectURI: CustomStringConvertible {
    package var description: String { text }
}
