import HTTPMessages
import Primitives

/// Cookies that are set come back as they were, whatever stands beside them, and no neighbour hides them.
///
/// The input is the value of a `Cookie` field, or several with a line feed between them.
enum CookieProperties {
    static func check(_ input: Span<UInt8>) {
        guard let text = String(validating: input.array(), as: UTF8.self) else { return }
        let values = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(Substring($0)) }
        let fields = HTTPFields(values.prefix(8).map { HTTPField(name: .cookie, value: $0) })
        let cookies = RequestCookies(fields)
        require(cookies.count <= RequestCookies.limit, "cookies have an end")
        let expected = pairs(of: values.prefix(8))
        require(cookies.count == expected.count, "each pair is a cookie")
        for (name, _) in expected.prefix(mostLookedAt) {
            let found = cookies[values: String(decoding: name, as: UTF8.self)]
            let wanted = expected.filter { $0.name == name }.map(\.value)
            require(found.map { Array($0.utf8) } == wanted, "every value is found, in its order")
        }
        for (name, value) in expected.prefix(mostLookedAt) { checkSetting(name, value, beside: fields) }
    }

    /// All of a hundred cookies would take too long to find much.
    private static let mostLookedAt = 6

    /// By another way than the reader's: the whole text cut into pieces first.
    private static func pairs(of values: some Sequence<String>) -> [(name: [UInt8], value: [UInt8])] {
        var pairs: [(name: [UInt8], value: [UInt8])] = []
        for value in values {
            for piece in value.utf8.split(separator: UInt8(ascii: ";")) {
                let halves = piece.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                guard halves.count == 2, case let name = trimmed(Array(halves[0])), !name.isEmpty else { continue }
                pairs.append((name, trimmed(Array(halves[1]))))
            }
        }
        return Array(pairs.prefix(RequestCookies.limit))
    }

    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
        guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
        else { return [] }
        return Array(text[first...last])
    }

    private static func checkSetting(_ name: [UInt8], _ value: [UInt8], beside fields: HTTPFields) {
        let (name, value) = (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
        guard let cookie = try? ResponseCookie(name: name, value: value, isSecure: true, sameSite: .lax) else { return }
        let written = cookie.fieldValue
        require(written.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }, "a cookie stays on its line")
        let attributes = written.utf8.split(separator: UInt8(ascii: ";"))
        require(attributes.count == 5, "no value adds an attribute: pair, path, secure, http only, same site")
        let pair = String(decoding: attributes[0], as: UTF8.self)
        var sent = HTTPFields([HTTPField(name: .cookie, value: pair)])
        let found = RequestCookies(sent)[values: name]
        require(found.count == 1 && sameText(String(found[0]), value), "a cookie comes back as it was set")
        for field in fields { sent.append(field) }
        require(
            RequestCookies(sent)[values: name].first.map { sameText(String($0), value) } == true,
            "no neighbour hides a cookie")
        require(sameText(cookie.description, name + "=<redacted>"), "a cookie's value is not shown")
    }
}
