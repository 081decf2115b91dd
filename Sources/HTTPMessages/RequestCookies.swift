/// The cookies of a request (RFC 6265 section 5.4, read as section 4.2 writes them).
///
/// Whatever is no pair of a name and a value is passed over: a neighbour on the same host may have put it there, and
/// must not be able to keep our own cookies from being seen.
///
///     RequestCookies(request.head.headerFields)[values: "session"].first
package struct RequestCookies: Sendable {
    /// Cookies that are looked at; those behind them are as good as not sent.
    package static let limit = 128

    private var pairs: [(name: Substring, value: Substring)] = []

    package init(_ fields: HTTPFields) {
        for field in fields where field.name == .cookie { read(field.value) }
    }

    /// Every value under a name, in the order in which they were sent. A client sends several when they were set for
    /// different paths or domains, and does not say which is which. A value in quotation marks keeps them. Names are
    /// compared byte by byte.
    package subscript(values name: String) -> [Substring] {
        pairs.filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
    }

    package var count: Int { pairs.count }

    /// Every name, in the order in which they were sent; one that was sent twice is there twice.
    package var names: [String] { pairs.map { String($0.name) } }

    private mutating func read(_ text: String) {
        // By bytes: a semicolon and a combining character after it are one Character.
        var rest = text[...].utf8
        while pairs.count < Self.limit {
            let end = rest.firstIndex(of: UInt8(ascii: ";"))
            if let pair = Self.pair(rest[..<(end ?? rest.endIndex)]) { pairs.append(pair) }
            guard let end else { return }
            rest = rest[rest.index(after: end)...]
        }
    }

    private static func pair(_ text: Substring.UTF8View) -> (name: Substring, value: Substring)? {
        guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = trimmed(text[..<equals])
        guard !name.isEmpty else { return nil }
        return (name, trimmed(text[text.index(after: equals)...]))
    }

    private static func trimmed(_ text: Substring.UTF8View) -> Substring {
        var text = text
        while let first = text.first, isBlank(first) { text.removeFirst() }
        while let last = text.last, isBlank(last) { text.removeLast() }
        return Substring(text)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
