import OAuth
import Primitives

/// Where browsers find the proxy: the one origin whose pages it serves (RFC 6454).
///
///     PublicOrigin("https://app.example")
///     PublicOrigin("http://127.0.0.1:8090")
package struct PublicOrigin: Hashable, Sendable {
    /// As RFC 6454 section 6.2 serialises it: what a browser puts into `Origin`.
    package let text: String
    /// In lower case, with the port unless it goes without saying: what a browser puts into `Host`.
    package let authority: String
    package let isEncrypted: Bool
    /// What stands in the text; `nil` where it goes without saying.
    package let port: UInt16?
    /// Whether the host is one by which programs reach their own machine.
    package let isLoopback: Bool

    /// `nil` unless the text is an http or https URL without path, query and fragment.
    package init?(_ text: String) {
        guard !text.utf8.contains(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") }),
            let target = TargetURL(text), sameText(target.pathAndQuery, "/"),
            let authority = Authority(target.authority)
        else { return nil }
        isEncrypted = target.scheme == "https"
        self.authority = target.authority
        self.text = "\(target.scheme)://\(target.authority)"
        port = authority.port
        isLoopback = authority.isLoopback
    }

    /// Whether a request was for this origin, by what it says of its host.
    func isNamed(by authority: String?) -> Bool {
        guard let named = authority.flatMap(Authority.init) else { return false }
        return sameText(named.text(defaultPort: isEncrypted ? 443 : 80), self.authority)
    }

    /// Whether another name of this machine was used, at the same port.
    func isAlias(_ authority: String?) -> Bool {
        guard isLoopback, !isEncrypted, let named = authority.flatMap(Authority.init) else { return false }
        return named.port == port && named.isLoopback
    }
}

extension PublicOrigin: CustomStringConvertible {
    package var description: String { text }
}
