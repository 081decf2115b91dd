import Primitives

/// Host and port of a URL that is fetched (RFC 3986 section 3.2): a registered name of the characters that host names
/// have, an IPv4 address, or an IPv6 address in brackets. No user information, no escapes.
package struct OutboundAuthority: Hashable, Sendable {
    /// Without brackets.
    package let host: String
    package let port: Int

    package init?(_ text: String, standardPort: Int) {
        var host = text[...].utf8
        var port = standardPort
        // The colons of an IPv6 address are inside its brackets.
        if let colon = host.lastIndex(of: UInt8(ascii: ":")), host.last != UInt8(ascii: "]") {
            guard let number = Self.port(host[host.index(after: colon)...]) else { return nil }
            port = number
            host = host[..<colon]
        }
        if host.first == UInt8(ascii: "[") {
            guard host.last == UInt8(ascii: "]") else { return nil }
            host = host.dropFirst().dropLast()
            let bytes = Array(host)
            guard IPAddressText.isIPv6(bytes.span) else { return nil }
        } else {
            guard !host.isEmpty, host.count <= 253, host.allSatisfy(Self.isHostByte) else { return nil }
        }
        self.host = String(Substring(host))
        self.port = port
    }

    private static func port(_ digits: Substring.UTF8View) -> Int? {
        guard (1...5).contains(digits.count), digits.allSatisfy(\.isASCIIDigit), let port = Int(Substring(digits)),
            (1...65_535).contains(port)
        else { return nil }
        return port
    }

    /// Letters, digits, hyphen, point, and the underscore that names in containers have.
    private static func isHostByte(_ byte: UInt8) -> Bool {
        byte.isASCIIDigit || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x2E || byte == 0x5F
    }
}
