#if canImport(Glibc)
import Foundation
import Glibc
import Primitives

/// A running `chromedriver`, and the files of the browser that it starts.
struct BrowserDriver: Sendable {
    private let process: RunningProcess
    private let directory: TemporaryDirectory
    private let channel: WebDriverChannel

    /// It starts in a moment where it is alone, and beside all other tests after all of theirs.
    private static let patience = Duration.seconds(300)

    /// It takes a port of IPv6 that is free and then the same one of IPv4, which another test may have: then it ends.
    private static let startCount = 10

    static func start() async throws -> BrowserDriver {
        guard let program = ProcessRunner.find(Browser.driver) else {
            throw WebDriverError(code: "no browser", message: Browser.missing)
        }
        let directory = try TemporaryDirectory()
        // Whatever the browser keeps goes with the directory.
        let environment = ProcessRunner.environment.merging(
            ["HOME": directory.url.path(), "TMPDIR": directory.url.path()]
        ) { $1 }
        var lastWords = ""
        for _ in 0..<startCount {
            let process = try RunningProcess(program, ["--port=0"], environment: environment)
            let line = await process.output.first(within: patience) { $0.contains("started successfully on port ") }
            if let digits = line?.split(separator: " ").last?.filter(\.isNumber), let port = Int(digits) {
                return BrowserDriver(process: process, directory: directory, channel: WebDriverChannel(port: port))
            }
            lastWords = process.output.text + process.errors.text
        }
        throw WebDriverError(code: "no driver", message: lastWords)
    }

    func open(_ options: BrowserOptions) async throws -> Browser {
        let session = try await channel.send("POST", "/session", capabilities(options))
        guard let identifier = session["sessionId"]?.string else {
            throw WebDriverError(code: "session not created", message: session.text())
        }
        let browser = Browser(channel: channel, path: "/session/\(identifier)", profile: profile)
        try await browser.emulate(options.scheme)
        try await browser.resize(width: options.width, height: options.height)
        return browser
    }

    /// Ends the driver, which takes its browsers with it: asked first, then made to.
    func stop() async {
        _ = try? await channel.send("GET", "/shutdown")
        _ = await process.signalUntilExit(SIGTERM)
    }

    private var profile: String { directory.path("profile") }

    private func capabilities(_ options: BrowserOptions) -> JSON {
        var arguments: [JSON] = [
            "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
            "--disable-background-networking", "--disable-sync", "--force-color-profile=srgb",
            "--user-data-dir=\(profile)",
            "--lang=\(String(options.languages.prefix { $0 != "," }))",
        ]
        // Chromium's own sandbox refuses to work for root.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        var preferences: JSON = ["intl.accept_languages": .string(options.languages)]
        if !options.runsScripts {
            preferences = [
                "intl.accept_languages": .string(options.languages),
                "profile.managed_default_content_settings.javascript": 2,
            ]
        }
        return [
            "capabilities": [
                "alwaysMatch": [
                    "goog:chromeOptions": ["args": .array(arguments), "prefs": preferences],
                    "goog:loggingPrefs": ["browser": "ALL"],
                ]
            ]
        ]
    }
}
#endif
