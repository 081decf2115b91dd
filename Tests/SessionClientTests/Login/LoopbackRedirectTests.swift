import Foundation
import OAuth
import Primitives
import SessionClient
import Synchronization
import Testing

/// Against real sockets.
@Suite(.timeLimit(.minutes(1))) struct LoopbackRedirectTests {
    private let redirect: LoopbackRedirect
    private let port: UInt16

    init() throws {
        redirect = try LoopbackRedirect.listen()
        port = UInt16(try #require(URLComponents(string: redirect.redirectURI.text)?.port))
    }

    private func wait(
        _ alarm: any Alarm = NoAlarm(), for wanted: String = "state=right"
    ) -> Task<String, any Error> {
        Task { [redirect] in
            try await redirect.callback(within: .seconds(600), alarm: alarm) { $0.contains(wanted) }
        }
    }

    @Test func handsOverTheURLAndClosesThePort() async throws {
        #expect(redirect.redirectURI.text == "http://127.0.0.1:\(port)/callback")
        #expect(redirect.redirectURI.kind == .loopback)
        let waiting = wait()
        let silent = try #require(LoopbackBrowser.connect(to: port))
        defer { close(silent) }
        let page = try #require(await LoopbackBrowser.get("/callback?code=a%20b&state=right", at: port))
        #expect(page.hasPrefix("HTTP/1.1 200 OK\r\n") && page.contains("You may close this window"))
        #expect(try await waiting.value == "http://127.0.0.1:\(port)/callback?code=a%20b&state=right")
        #expect(await isLetGo(silent))
    }

    /// Whether the other end lets go of a connection, be it that it was never let in. Nobody asks whether the port is free: it
    /// may be another test's by now.
    private func isLetGo(_ descriptor: Int32) async -> Bool {
        await LoopbackBrowser.onAThread { LoopbackBrowser.readAll(descriptor) }.isEmpty
    }

    /// Every page of the web can send a browser here. What is not meant ends nothing.
    @Test func turnsAwayWhatIsNotMeant() async throws {
        let waiting = wait()
        let others: [(String, String)] = [
            ("GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", "404"),
            ("POST /callback?state=right HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", "405"),
            ("GET /callback?state=right HTTP/1.1\r\nHost: evil.example\r\n\r\n", "400"),
            ("GET /callback?state=wrong HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", "400"),
            ("\u{16}\u{3}\u{1}\r\n\r\n", "400"),
        ]
        for (text, status) in others {
            let answer = try #require(await LoopbackBrowser.send([text], to: port))
            #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
        }
        _ = await LoopbackBrowser.get("/callback?state=right", at: port)
        #expect(try await waiting.value.hasSuffix("state=right"))
    }

    @Test func keepsABrowserWaitingThatComesFirst() async throws {
        let port = port
        let browser = Task { await LoopbackBrowser.get("/callback?state=right", at: port) }
        _ = try await wait().value
        #expect(await browser.value?.hasPrefix("HTTP/1.1 200") == true)
    }

    @Test func readsARequestInPieces() async throws {
        let waiting = wait()
        let pieces = ["GE", "T /callback?st", "ate=right HTTP/1.1\r", "\nHost: 127.0.0.1:\(port)\r\n", "\r\n"]
        #expect(await LoopbackBrowser.send(pieces, to: port)?.hasPrefix("HTTP/1.1 200") == true)
        _ = try await waiting.value
    }

    /// Browsers open connections ahead of need, and never use some of them.
    @Test func isNotHeldUpByThoseThatSayNothing() async throws {
        let waiting = wait()
        let silent = (0..<40).compactMap { _ in LoopbackBrowser.connect(to: port) }
        defer { for descriptor in silent { close(descriptor) } }
        #expect(silent.count == 40)
        // Whoever is answered came after them all. The oldest have made room, the last are still there.
        #expect(await LoopbackBrowser.get("/favicon.ico", at: port)?.hasPrefix("HTTP/1.1 404") == true)
        #expect(LoopbackBrowser.isClosed(silent[0]))
        #expect(!LoopbackBrowser.isClosed(silent[39]))
        #expect(await LoopbackBrowser.get("/callback?state=right", at: port)?.hasPrefix("HTTP/1.1 200") == true)
        _ = try await waiting.value
        #expect(await isLetGo(silent[39]))
    }

    @Test func listensOnBothAddresses() async throws {
        // A machine without IPv6 has nothing to show here.
        guard let probe = LoopbackBrowser.connect(to: port, ipv6: true) else { return }
        close(probe)
        let waiting = wait()
        #expect(
            await LoopbackBrowser.get("/callback?state=right", at: port, ipv6: true)?.hasPrefix("HTTP/1.1 200") == true)
        #expect(try await waiting.value.hasPrefix("http://127.0.0.1:\(port)/"))
    }

    @Test func waitsNoLongerThanItIsTold() async throws {
        let alarm = ManualAlarm()
        let waiting = wait(alarm)
        let bell = await alarm.armed()
        #expect(bell.delay == .seconds(600))
        let silent = try #require(LoopbackBrowser.connect(to: port))
        defer { close(silent) }
        bell.ring()
        await #expect(throws: LoopbackError.timedOut) { _ = try await waiting.value }
        // The thread has ended too: it lets go of whoever was there.
        #expect(await isLetGo(silent))
    }

    @Test func stopsWhenItIsCancelled() async throws {
        let alarm = ManualAlarm()
        let waiting = wait(alarm)
        await alarm.armed()
        waiting.cancel()
        await #expect(throws: LoopbackError.cancelled) { _ = try await waiting.value }
    }

    @Test func doesNotBeginWhereItWasCancelledBefore() async throws {
        let silent = try #require(LoopbackBrowser.connect(to: port))
        defer { close(silent) }
        let waiting = Task { [redirect] in
            withUnsafeCurrentTask { $0?.cancel() }
            return try await redirect.callback(within: .seconds(1), alarm: NoAlarm()) { _ in true }
        }
        await #expect(throws: LoopbackError.cancelled) { _ = try await waiting.value }
        #expect(await isLetGo(silent))
    }

    @Test func waitsOnce() async throws {
        let waiting = wait()
        _ = await LoopbackBrowser.get("/callback?state=right", at: port)
        _ = try await waiting.value
        await #expect(throws: LoopbackError.alreadyUsed) { _ = try await wait().value }
    }

    @Test func theAlarmOfAnAnswerThatCameChangesNothing() async throws {
        let alarm = ManualAlarm()
        let waiting = wait(alarm)
        let bell = await alarm.armed()
        _ = await LoopbackBrowser.get("/callback?state=right", at: port)
        bell.ring()
        #expect(try await waiting.value.hasSuffix("state=right"))
    }

    /// Whoever reads that the app has got the answer must be right: this one came while the waiting ended.
    @Test func tellsABrowserThatCameTooLateThatItDid() async throws {
        let alarm = ManualAlarm()
        let bell = Mutex<ManualAlarm.Arming?>(nil)
        let waiting = Task { [redirect] in
            try await redirect.callback(within: .seconds(600), alarm: alarm) { _ in
                bell.withLock { $0 }?.ring()
                return true
            }
        }
        let armed = await alarm.armed()
        bell.withLock { $0 = armed }
        let page = try #require(await LoopbackBrowser.get("/callback?state=right", at: port))
        #expect(page.hasPrefix("HTTP/1.1 410 Gone\r\n") && !page.contains("You may close this window"))
        await #expect(throws: LoopbackError.timedOut) { _ = try await waiting.value }
    }

    /// As soon as a browser was told so, nobody can give up any more: it is done at the first byte, while the listener still has
    /// connections to close.
    @Test(arguments: 0..<20) func handsOverWhatItToldABrowserThatItGot(_ turn: Int) async throws {
        let waiting = wait()
        let silent = (1..<16).compactMap { _ in LoopbackBrowser.connect(to: port) }
        defer { for descriptor in silent { close(descriptor) } }
        let page = await LoopbackBrowser.get("/callback?state=right", at: port) { [redirect] in
            redirect.stop()
            waiting.cancel()
        }
        #expect(page?.contains("You may close this window") == true)
        #expect(try await waiting.value.hasSuffix("state=right"))
    }

    /// R21: more wait than there are threads for tasks, and tasks run all the same.
    @Test func R21_keepsNoThreadFromTasks() async throws {
        let several = try (0..<64).map { _ in try LoopbackRedirect.listen() }
        let alarm = ManualAlarm()
        let waiting = several.map { redirect in
            Task { try await redirect.callback(within: .seconds(1), alarm: alarm) { _ in true } }
        }
        // That it gets here with all of them armed is the point.
        for _ in several { await alarm.ringNext() }
        for task in waiting { await #expect(throws: LoopbackError.timedOut) { _ = try await task.value } }
    }

    @Test(arguments: ["", "callback", "/a?b", "/a b", "/a#b", "/%41", "/a/../b", "/ä"])
    func listensAtNoPathThatIsSpeltInTwoWays(_ path: String) {
        #expect(throws: LoopbackError.self) { _ = try LoopbackRedirect.listen(path: path) }
    }

    @Test func leavesNoPortOpenThatNobodyHolds() async throws {
        var other: LoopbackRedirect? = try .listen(path: "/")
        let port = UInt16(try #require(URLComponents(string: other?.redirectURI.text ?? "")?.port))
        let silent = try #require(LoopbackBrowser.connect(to: port))
        defer { close(silent) }
        other = nil
        #expect(await isLetGo(silent))
    }
}
