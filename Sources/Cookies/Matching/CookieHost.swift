import Primitives

/// A host in the form in which cookies compare them: ASCII, in lower case. One in other letters has to come as what the
/// name system knows it by (`xn--…`), as URLs of every parser have it.
///
///     let host = CookieHost("App.Example")?.text                  // "app.example"
///     let none = CookieHost("app.example/account")                // nil
public struct CookieHost: Hashable, Sendable {
    /// An address of IPv6 in its brackets, where it came so.
    public let text: String
    private let isAddress: Bool

    /// `nil` for what is no host.
    public init?(_ text: String) {
        guard let first = text.utf8.first, first != UInt8(ascii: "."), text.utf8.allSatisfy(Self.isHostByte) else {
            return nil
        }
        self.text = text.lowercased()
        var bytes = Array(self.text.utf8)
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") { bytes = bytes.dropFirst().dropLast() }
        isAddress = IPAddressText.isIPv4(bytes.span) || IPAddressText.isIPv6(bytes.span)
        // A colon stands in addresses alone.
        guard isAddress || !bytes.contains(UInt8(ascii: ":")) else { return nil }
    }

    private static func isHostByte(_ byte: UInt8) -> Bool {
        switch byte {
        // What ends a host in a URL, and what would end a field.
        case 0...0x20, 0x7F..., UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"),
            UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "%"):
            false
        default: true
        }
    }

    /// RFC 6265bis section 5.1.3: the same, or a host name below it. Nothing is below an address.
    package func matches(domain: String) -> Bool {
        if text == domain { return true }
        let (text, domain) = (text.utf8, domain.utf8)
        guard !isAddress, !domain.isEmpty, text.count > domain.count, text.reversed().starts(with: domain.reversed())
        else { return false }
        return text[text.index(text.endIndex, offsetBy: -(domain.count + 1))] == UInt8(ascii: ".")
    }

    /// Itself, and every domain above it: where a cookie for it may be kept.
    package var domains: [Substring] {
        guard !isAddress else { return [text[...]] }
        var found = [text[...]]
        var rest = text[...].utf8
        while let period = rest.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.index(after: period)...]
            if !rest.isEmpty { found.append(Substring(rest)) }
        }
        return found
    }

    /// RFC 6761 section 6.3, and the loopback addresses: nobody else's machine.
    package var isLoopback: Bool {
        text == "localhost" || text.hasSuffix(".localhost") || text == "[::1]" || text == "::1"
            || isAddress && text.hasPrefix("127.")
    }
}
