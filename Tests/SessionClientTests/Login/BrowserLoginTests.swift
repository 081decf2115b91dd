import OAuth
import Primitives
import SessionClient
import Testing

/// From the click to the tokens, with a real port and a scripted server.
@Suite(.timeLimit(.minutes(1))) struct BrowserLoginTests {
    private struct NoBrowser: Error {}

    private let server = ScriptedServer()
    private let parameters = AuthorizationParameters(scope: try! Scope(parsing: "read"))

    private func login(_ alarm: any Alarm = NoAlarm()) -> BrowserLogin {
        BrowserLogin(LoginFixtures.tokens(server), alarm: alarm, random: SystemRandom(), patience: .seconds(90))
    }

    private func callback(of url: String, _ rest: String) throws -> String {
        let query = try AuthorizationURL(url).query
        return "\(try #require(query["redirect_uri"]))?state=\(try #require(query["state"]))\(rest)"
    }

    /// The browser is still open when the answer is there: whoever opened it may wait for its end.
    @Test func signsInThroughTheBrowser() async throws {
        server.enqueue(.json(LoginFixtures.grant))
        let completed = try await login().run(asking: parameters) { url in
            let callback = try callback(of: url, "&code=code-1")
            #expect(await LoopbackBrowser.get(url: callback)?.contains("200 OK") == true)
            let (stream, continuation) = AsyncStream.makeStream(of: Never.self)
            for await _ in stream {}
            continuation.finish()
        }
        #expect(LoginFixtures.text(of: completed.grant.accessToken) == "access-1")
        let form = server.requests[0].form
        #expect(form["code"] == "code-1" && form["redirect_uri"]?.hasPrefix("http://127.0.0.1:") == true)
        #expect(form["redirect_uri"]?.hasSuffix("/callback") == true)
    }

    @Test func isNotEndedByWhatAnotherPageSends() async throws {
        server.enqueue(.json(LoginFixtures.grant))
        _ = try await login().run(asking: parameters) { url in
            let redirectURI = try #require(AuthorizationURL(url).query["redirect_uri"])
            for query in ["?code=evil", "?code=evil&state=guess", "?error=access_denied"] {
                #expect(await LoopbackBrowser.get(url: redirectURI + query)?.contains(" 400 ") == true)
            }
            _ = await LoopbackBrowser.get(url: try callback(of: url, "&code=code-1"))
        }
        #expect(server.requests.map { $0.form["code"] } == ["code-1"])
    }

    @Test func tellsThatTheUserSaidNo() async throws {
        await #expect(throws: LoginError.denied) {
            _ = try await login().run(asking: parameters) { url in
                _ = await LoopbackBrowser.get(url: try callback(of: url, "&error=access_denied"))
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test func endsWhereThereIsNoBrowser() async throws {
        await #expect(throws: LoginError.notPossibleHere("the browser could not be opened")) {
            _ = try await login().run(asking: parameters) { _ in throw NoBrowser() }
        }
    }

    @Test func endsWhereTheUserDoesNotComeBack() async throws {
        let alarm = ManualAlarm()
        let login = login(alarm)
        let running = Task { [parameters] in try await login.run(asking: parameters) { _ in } }
        #expect(await alarm.ringNext() == .seconds(90))
        await #expect(throws: LoginError.expired) { _ = try await running.value }
    }

    @Test func endsWhenItIsCancelled() async throws {
        let alarm = ManualAlarm()
        let login = login(alarm)
        let running = Task { [parameters] in try await login.run(asking: parameters) { _ in } }
        await alarm.armed()
        running.cancel()
        await #expect(throws: LoginError.cancelled) { _ = try await running.value }
    }

    @Test func opensNothingThatCannotEnd() async throws {
        let tokens = LoginFixtures.tokens(server, server: LoginFixtures.server { $0.codeChallengeMethods = ["plain"] })
        let login = BrowserLogin(tokens, alarm: NoAlarm(), random: SystemRandom())
        await #expect(throws: LoginError.self) {
            _ = try await login.run(asking: parameters) { _ in Issue.record("opened") }
        }
    }
}
