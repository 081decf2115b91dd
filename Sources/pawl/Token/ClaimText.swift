import Primitives

/// A claim on a command line: `admin=true`, `name=Alice`, `roles=["a","b"]`.
struct ClaimText: Sendable {
    let name: String
    /// JSON if the text is JSON, else the text as a string.
    let value: JSON

    static let reader = ValueReader("NAME=VALUE", expecting: "NAME=VALUE") { ClaimText($0) }

    init?(_ text: String) {
        guard let sign = text.firstIndex(of: "="), sign != text.startIndex else { return nil }
        name = String(text[..<sign])
        let value = String(text[text.index(after: sign)...])
        self.value = (try? JSON(parsing: value)) ?? .string(value)
    }
}
