import Primitives

/// A host and perhaps a port, as an issuer and an origin name them, without user information.
///
/// Narrower than RFC 3986 section 3.2 and than what HTTP takes for a `Host`, because these names are compared text by
/// text and written into tokens: a percent-encoded host or a colon without a port is one more way to spell the same, and
/// nobody's name needs either.
package struct Authority: Hashable, Sendable {
    /// In lower case; an IPv6 address in its brackets.
    package let host: String
    package let port: UInt16?

    package init?(_ text: String) {
        let host: Substring
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[...end]
            guard String(host.dropFirst().dropLast()).withUTF8Span(IPAddressText.isIPv6) else { return nil }
        } else {
            host = text.prefix { $0 != ":" }
            guard !host.isEmpty, host.utf8.allSatisfy(URICharacters.isHostByte) else { return nil }
        }
        guard host.utf8.count <= Self.maximumHostByteCount else { return nil }
        let rest = text.utf8.dropFirst(host.utf8.count)
        if rest.isEmpty {
            port = nil
        } else {
            let digits = rest.dropFirst()
            guard rest.first == UInt8(ascii: ":"), !digits.isEmpty,
                digits.allSatisfy(\.isASCIIDigit), let number = UInt16(Substring(digits)), number > 0
            else { return nil }
            port = number
        }
        self.host = host.lowercased()
    }

    private init(host: String, port: UInt16?) {
        self.host = host
        self.port = port
    }

    /// Whether the host is one of those by which programs reach their own machine. RFC 8252 section 8.3: `localhost` is NOT
    /// RECOMMENDED, since it may resolve to something that is not the loopback interface. RFC 9700 section 2.1 names it all the
    /// same, and developers use it; so it counts.
    package var isLoopback: Bool { ["127.0.0.1", "[::1]", "localhost"].contains(host) }

    /// The same host at another port.
    package func at(port: UInt16) -> Authority { Authority(host: host, port: port) }

    /// The longest name of the DNS, and room for brackets.
    package static let maximumHostByteCount = 255

    /// With the port, unless it is the one that goes without saying.
    package func text(defaultPort: UInt16) -> String {
        guard let port, port != defaultPort else { return host }
        return "\(host):\(port)"
    }
}
