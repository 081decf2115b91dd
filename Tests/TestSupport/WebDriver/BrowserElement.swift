#if canImport(Glibc)
import Foundation
import Primitives

/// An element of the page that a browser shows.
package struct BrowserElement: Sendable {
    private let browser: Browser
    package let identifier: String

    init(_ value: JSON, in browser: Browser) throws {
        guard let identifier = value[WebDriverError.elementKey]?.string else {
            throw WebDriverError(code: "no such element", message: value.text())
        }
        self.identifier = identifier
        self.browser = browser
    }

    package func click() async throws {
        _ = try await browser.post("/element/\(identifier)/click")
    }

    /// Types behind what is there.
    package func type(_ text: String) async throws {
        _ = try await browser.post("/element/\(identifier)/value", ["text": .string(text)])
    }

    package func clear() async throws {
        _ = try await browser.post("/element/\(identifier)/clear")
    }

    /// As the user sees it.
    package var text: String { get async throws { try await browser.text("/element/\(identifier)/text") } }

    /// `nil` if it has no such attribute.
    package func attribute(_ name: String) async throws -> String? {
        try await browser.get("/element/\(identifier)/attribute/\(name)").string
    }

    package func property(_ name: String) async throws -> JSON {
        try await browser.get("/element/\(identifier)/property/\(name)")
    }

    /// The name that a screen reader says (WebDriver section 12.4.11).
    package var accessibleName: String {
        get async throws { try await browser.text("/element/\(identifier)/computedlabel") }
    }

    /// What a screen reader says that it is (WebDriver section 12.4.10).
    package var accessibleRole: String {
        get async throws { try await browser.text("/element/\(identifier)/computedrole") }
    }

    package var isDisplayed: Bool {
        get async throws { try await browser.get("/element/\(identifier)/displayed").bool ?? false }
    }

    /// Whether two handles are of one element.
    package func isSame(as other: BrowserElement) -> Bool { identifier == other.identifier }
}
#endif
