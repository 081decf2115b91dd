import Foundation
import Synchronization
import TestSupport
import Testing

/// The driver itself: what it starts, it ends.
@Suite(.needsBrowser) struct BrowserLifetimeTests {
    private struct Failure: Error {}

    @Test func nothingIsLeftOfABrowserWhoseTestFailed() async throws {
        let profile = Mutex("")
        await #expect(throws: Failure.self) {
            try await withBrowser { browser in
                profile.withLock { $0 = browser.profile }
                #expect(!Self.processes(naming: browser.profile).isEmpty)
                throw Failure()
            }
        }
        let name = profile.withLock(\.self)
        try #require(!name.isEmpty)
        // The helpers of a browser end a moment after it.
        let end = ContinuousClock.now + .seconds(60)
        while !Self.processes(naming: name).isEmpty, ContinuousClock.now < end { await Task.yield() }
        #expect(Self.processes(naming: name) == [])
        #expect(!FileManager.default.fileExists(atPath: name))
    }

    @Test func anElementThatIsNotThereIsAnError() async throws {
        try await withBrowser { browser in
            try await browser.open("about:blank")
            await #expect(throws: WebDriverError.self) { try await browser.find("#nothing") }
        }
    }

    private static func processes(naming profile: String) -> [String] {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return all.filter { identifier in
            guard Int(identifier) != nil else { return false }
            let line = (try? Data(contentsOf: URL(filePath: "/proc/\(identifier)/cmdline"))) ?? Data()
            return String(decoding: line, as: UTF8.self).contains(profile)
        }
    }
}
