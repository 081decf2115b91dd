/// Which language a request is answered in.
extension PageLanguage {
    /// How many ranges of a list are looked at. People read a handful of languages; a longer list is made to cost us.
    private static let mostRanges = 32

    /// The first language of ours that is asked for: by the client for its user (`ui_locales`, OpenID Connect Core
    /// section 3.1.2.1: separated by spaces, the preferred one first), else by the browser; else English. A request is
    /// never refused for its language.
    package static func chosen(uiLocales: String?, acceptLanguage: String?) -> PageLanguage {
        let locales = (uiLocales ?? "").split(separator: " ").prefix(mostRanges)
        return first(of: locales) ?? first(of: ranges(in: acceptLanguage ?? "")) ?? .english
    }

    private static func first(of ranges: some Sequence<Substring>) -> PageLanguage? {
        for range in ranges {
            if let language = lookUp(range) { return language }
        }
        return nil
    }

    /// RFC 4647 section 3.4: a range is cut from its end until it is a tag that there is. Ours are one subtag each, so
    /// the cuts end at the first subtag; a range that begins with `*` names none (same section). `ko_KR`, as systems
    /// write it, is understood too.
    private static func lookUp(_ range: Substring) -> PageLanguage? {
        let primary = range.prefix { $0 != "-" && $0 != "_" }.lowercased()
        return allCases.first { $0.tag == primary }
    }

    /// RFC 9110 section 12.5.4: ranges with weights, the heaviest first, and equal ones in their order. Weight zero
    /// means not acceptable.
    private static func ranges(in field: String) -> [Substring] {
        let weighted = field.split(separator: ",").prefix(mostRanges).compactMap(weightedRange)
        // The sort of the standard library keeps the order of equals, but does not promise to.
        let sorted = weighted.enumerated().sorted {
            $0.element.weight != $1.element.weight
                ? $0.element.weight > $1.element.weight : $0.offset < $1.offset
        }
        return sorted.map(\.element.range)
    }

    private static func weightedRange(_ element: Substring) -> (range: Substring, weight: Int)? {
        let parts = element.split(separator: ";", omittingEmptySubsequences: false).map(trimmed)
        guard let range = parts.first, !range.isEmpty, parts.count <= 2 else { return nil }
        guard parts.count == 2 else { return (range, 1000) }
        guard let weight = weight(parts[1]), weight > 0 else { return nil }
        return (range, weight)
    }

    /// RFC 9110 section 12.4.2: `q=`, then 0 or 1 with up to three decimals. In thousandths.
    private static func weight(_ parameter: Substring) -> Int? {
        guard parameter.lowercased().hasPrefix("q=") else { return nil }
        let value = Array(parameter.utf8.dropFirst(2))
        guard let whole = value.first, whole == UInt8(ascii: "0") || whole == UInt8(ascii: "1"), value.count <= 5
        else { return nil }
        guard value.count == 1 || value[1] == UInt8(ascii: ".") else { return nil }
        var thousandths = Int(whole - UInt8(ascii: "0")) * 1000
        var place = 100
        for digit in value.dropFirst(2) {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            thousandths += Int(digit - UInt8(ascii: "0")) * place
            place /= 10
        }
        return thousandths <= 1000 ? thousandths : nil
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text = text.dropFirst() }
        while text.last == " " || text.last == "\t" { text = text.dropLast() }
        return text
    }
}
