import OAuth
import Primitives

/// Where a page came from, as a browser says it in `Origin` (RFC 6454 section 7): scheme, host, and the port unless it
/// goes without saying.
///
///     WebOrigin("http://localhost:3000")
///     WebOrigin("null")                       // nil: a sandboxed frame or a file, and nobody knows whose
package struct WebOrigin: Hashable, Sendable {
    /// As RFC 6454 section 6.2 serialises it, so that equal origins are equal texts.
    package let text: String
    private let host: String

    /// `nil` unless the text is one http or https origin: no list, no path, no user information.
    package init?(_ text: String) {
        let scheme = ["http://", "https://"].first(where: text.hasPrefix)
        guard let scheme, let authority = Authority(String(text.dropFirst(scheme.utf8.count))) else { return nil }
        host = authority.host
        self.text = scheme + authority.text(defaultPort: scheme == "https://" ? 443 : 80)
    }

    /// Whether the host can only be this machine: RFC 6761 section 6.3 keeps `localhost` and the names below it for it,
    /// RFC 1122 section 3.2.1.3 the network 127, RFC 4291 section 2.5.3 the address ::1.
    package var isLoopback: Bool {
        if host == "localhost" || host == "[::1]" { return true }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if labels.last?.elementsEqual("localhost".utf8) == true { return !labels.contains(where: \.isEmpty) }
        return host.hasPrefix("127.") && IPAddressText.isIPv4(host.utf8.span)
    }
}

extension WebOrigin: CustomStringConvertible {
    package var description: String { text }
}
