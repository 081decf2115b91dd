#if canImport(Glibc)
import Foundation
import Primitives

/// A real Chromium, driven through its `chromedriver`.
///
///     try await withBrowser(BrowserOptions(languages: "ko-KR,ko", scheme: .dark)) { browser in
///         try await browser.open(url)
///         try await browser.find("#username").type("alice")
///         try await browser.press(.tab, .enter)
///         try await browser.wait { try await browser.title == "…" }
///     }
///
/// One runs at a time in a test process; the others wait for their turn, and hold no thread while they do. It is ended
/// with its driver and its files, whatever `body` does.
package struct Browser: Sendable {
    let channel: WebDriverChannel
    /// Where the commands of this session are.
    let path: String
    /// Where it keeps its files; every process of it has this in its command line.
    package let profile: String

    /// Whether a test with a browser can run here, or must: with `PAWL_REQUIRE_BROWSER=1` one that is missing is a
    /// failure and not a reason to skip.
    package static var isExpected: Bool {
        ProcessInfo.processInfo.environment["PAWL_REQUIRE_BROWSER"] == "1" || ProcessRunner.find(driver) != nil
    }

    package static let missing = "chromedriver is not installed; on Debian: apt install chromium chromium-driver"

    static let driver = "chromedriver"

    func post(_ command: String, _ body: JSON = [:]) async throws -> JSON {
        try await channel.send("POST", path + command, body)
    }

    func get(_ command: String) async throws -> JSON {
        try await channel.send("GET", path + command)
    }

    func text(_ command: String) async throws -> String {
        try await get(command).string ?? ""
    }

    /// A command of Chromium's own protocol, for what WebDriver lacks.
    @discardableResult
    package func command(_ name: String, _ parameters: JSON = [:]) async throws -> JSON {
        try await post("/goog/cdp/execute", ["cmd": .string(name), "params": parameters])
    }
}

/// Runs `body` with a browser of its own; see ``Browser``.
package func withBrowser<Value: Sendable>(
    _ options: BrowserOptions = BrowserOptions(), _ body: @Sendable (Browser) async throws -> Value
) async throws -> Value {
    await BrowserTurn.take()
    defer { BrowserTurn.pass() }
    let driver = try await BrowserDriver.start()
    do {
        let browser = try await driver.open(options)
        let value = try await body(browser)
        await driver.stop()
        return value
    } catch {
        await driver.stop()
        throw error
    }
}
#endif
