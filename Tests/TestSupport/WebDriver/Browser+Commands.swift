#if canImport(Glibc)
import Foundation
import Primitives

/// What a user and a test do with a browser.
extension Browser {
    package func open(_ url: String) async throws {
        _ = try await post("/url", ["url": .string(url)])
    }

    package var url: String { get async throws { try await text("/url") } }
    package var title: String { get async throws { try await text("/title") } }
    package var source: String { get async throws { try await text("/source") } }

    package func back() async throws {
        _ = try await post("/back")
    }

    /// The first element that a CSS selector names; throws if there is none.
    package func find(_ selector: String) async throws -> BrowserElement {
        let value = try await post("/element", ["using": "css selector", "value": .string(selector)])
        return try BrowserElement(value, in: self)
    }

    package func findAll(_ selector: String) async throws -> [BrowserElement] {
        let value = try await post("/elements", ["using": "css selector", "value": .string(selector)])
        return try (value.array ?? []).map { try BrowserElement($0, in: self) }
    }

    /// Where the keyboard is.
    package var activeElement: BrowserElement {
        get async throws { try BrowserElement(try await get("/element/active"), in: self) }
    }

    /// Presses keys one after another, wherever the keyboard is.
    package func press(_ keys: BrowserKey...) async throws {
        var actions: [JSON] = []
        for key in keys {
            actions.append(["type": "keyDown", "value": .string(key.text)])
            actions.append(["type": "keyUp", "value": .string(key.text)])
        }
        _ = try await post("/actions", ["actions": [["type": "key", "id": "keyboard", "actions": .array(actions)]]])
    }

    /// Runs the body of a JavaScript function in the page and returns what it returns.
    package func run(_ script: String, _ arguments: [JSON] = []) async throws -> JSON {
        try await post("/execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Asks until the answer is yes. The bound is there so that a test ends, and long enough for a busy machine.
    package func wait(
        within bound: Duration = .seconds(60), until condition: @Sendable () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + bound
        while true {
            // The page may be on its way to the next one.
            if (try? await condition()) == true { return }
            guard ContinuousClock.now < end else {
                throw WebDriverError(
                    code: "timeout", message: "at \((try? await url) ?? "?"): \((try? await title) ?? "")")
            }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    package var cookies: [JSON] {
        get async throws { try await get("/cookie").array ?? [] }
    }

    package func deleteCookies() async throws {
        try await channel.send("DELETE", path + "/cookie")
    }

    /// What the browser has complained of since it was last asked; violations of the content policy among it.
    package func complaints() async throws -> [String] {
        let entries = try await post("/se/log", ["type": "browser"]).array ?? []
        return entries.compactMap { $0["message"]?.string }
    }

    /// The size of the page, whatever the window's smallest is.
    package func resize(width: Int, height: Int) async throws {
        try await command(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(JSONNumber(Int64(width))), "height": .number(JSONNumber(Int64(height))),
                "deviceScaleFactor": 1, "mobile": false,
            ])
    }

    package func emulate(_ scheme: BrowserOptions.Scheme) async throws {
        try await command(
            "Emulation.setEmulatedMedia",
            ["features": [["name": "prefers-color-scheme", "value": .string(scheme.rawValue)]]])
    }

    /// The whole page as PNG, also what does not fit the window.
    package func screenshot() async throws -> [UInt8] {
        let answer = try await command("Page.captureScreenshot", ["format": "png", "captureBeyondViewport": true])
        return try Base64.decode(answer["data"]?.string ?? "")
    }
}
#endif
