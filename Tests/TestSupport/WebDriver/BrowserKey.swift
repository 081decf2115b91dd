/// A key, as WebDriver names it (section 17.4.2).
package struct BrowserKey: Sendable {
    let text: String

    package static let tab = BrowserKey(text: "\u{E004}")
    package static let enter = BrowserKey(text: "\u{E007}")
    package static let space = BrowserKey(text: " ")
    package static let escape = BrowserKey(text: "\u{E00C}")
    package static let down = BrowserKey(text: "\u{E015}")
}
