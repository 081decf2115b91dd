/// What a browser, or the way to it, complains of.
package struct WebDriverError: Error, CustomStringConvertible {
    /// As the WebDriver standard names it (section 6.6), or our own.
    package let code: String
    package let message: String

    package var description: String { "\(code): \(message)" }

    static let elementKey = "element-6066-11e4-a52e-4f735466cecf"
}
