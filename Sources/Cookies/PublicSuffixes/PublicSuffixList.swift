import Primitives

/// The domains below which anybody can have a host (`com`, `co.uk`, `github.io`), so that a cookie for all of them would
/// reach strangers. By the algorithm of publicsuffix.org.
///
///     let isSuffix = PublicSuffixList.shipped.contains("co.uk")                                // true
///     let owner = PublicSuffixList.shipped.registrableDomain(of: "www.example.co.uk")          // "example.co.uk"
///     var policy = CookiePolicy()
///     policy.publicSuffixes = PublicSuffixList(rules: text)                        // public_suffix_list.dat
public struct PublicSuffixList: Sendable {
    /// Rules in ASCII, sorted by their bytes, with a blank between two.
    private let rules: [UInt8]

    /// The list that was current when this version was made.
    public static let shipped = PublicSuffixList(sorted: Array(PublicSuffixData.rules.utf8))

    /// From a file in the format of publicsuffix.org: a rule in each line, up to its first blank; `//` begins a comment.
    public init(rules text: String) {
        let lines = text.utf8.split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }.compactMap { line in
            let rule = Substring(line.prefix { $0 != 0x20 && $0 != 0x09 })
            return rule.isEmpty || rule.hasPrefix("//") ? nil : Self.ascii(rule)
        }
        self.init(
            sorted: Array(Set(lines).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(separator: " ").utf8))
    }

    private init(sorted rules: [UInt8]) {
        self.rules = rules
    }

    private static func ascii(_ rule: Substring) -> String {
        rule.lowercased().split(separator: ".", omittingEmptySubsequences: false).map { label in
            label.utf8.allSatisfy { $0 < 0x80 } ? String(label) : "xn--" + Punycode.encode(label)
        }.joined(separator: ".")
    }

    /// Whether a domain, in lower case and ASCII, is itself a public suffix.
    public func contains(_ domain: String) -> Bool {
        let labels = domain.split(separator: ".", omittingEmptySubsequences: false)
        guard !domain.isEmpty, !labels.contains(where: \.isEmpty), !isAddress(domain) else { return false }
        return suffixLabelCount(of: labels) == labels.count
    }

    /// The part of a host that one owner has: a label more than the public suffix. `nil`: it has no such part.
    public func registrableDomain(of host: String) -> String? {
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard !labels.contains(where: \.isEmpty), !isAddress(host) else { return nil }
        let count = suffixLabelCount(of: labels) + 1
        return labels.count >= count ? labels.suffix(count).joined(separator: ".") : nil
    }

    private func isAddress(_ host: String) -> Bool {
        host.utf8.contains(UInt8(ascii: ":")) || IPAddressText.isIPv4(Array(host.utf8).span)
    }

    /// The longest rule that fits decides, an exception before all others; without any, it is the last label.
    private func suffixLabelCount(of labels: [Substring]) -> Int {
        for start in labels.indices {
            let rest = labels[start...].joined(separator: ".")
            if hasRule("!" + rest) { return labels.count - start - 1 }
            if hasRule(rest) { return labels.count - start }
            let above = labels[(start + 1)...].joined(separator: ".")
            if !above.isEmpty, hasRule("*." + above) { return labels.count - start }
        }
        return 1
    }

    /// By halving: nothing is built when a program starts, and the rules take the room of their text.
    private func hasRule(_ rule: String) -> Bool {
        let rule = Array(rule.utf8)
        var (low, high) = (0, rules.count)
        while low < high {
            var start = low + (high - low) / 2
            while start > low, rules[start - 1] > 0x20 { start -= 1 }
            var end = start
            while end < high, rules[end] > 0x20 { end += 1 }
            let found = rules[start..<end]
            if found.elementsEqual(rule) { return true }
            if found.lexicographicallyPrecedes(rule) { low = end + 1 } else { high = start }
        }
        return false
    }
}
