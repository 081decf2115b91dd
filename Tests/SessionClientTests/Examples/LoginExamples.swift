import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

/// The examples of the documentation: signing in, and what may come of it.
@Suite struct LoginExamples: ExampleApp {
    let screen = ExampleScreen()
    private let clock = ManualClock(startingAt: LoginFixtures.now)
    private let server: ScriptedServer
    private let session: SessionManager
    private let scope: Scope

    init() throws {
        scope = try Scope(parsing: "offline_access")
        server = ExampleServer.make(clock)
        session = SessionManager(
            configuration: SessionConfiguration(issuer: "https://id.example", clientID: "native-app"),
            store: MemorySessionStore(), transport: server, clock: clock,
            alarm: ImmediateAlarm(moving: clock, upTo: .seconds(5)))
    }

    /// The user says yes, and the browser comes back.
    private func show(_ url: String) async throws -> String {
        let state = try #require(try AuthorizationURL(url).query["state"])
        return "com.example.app:/callback?code=c&state=\(state)"
    }

    private func openInBrowser(_ url: String) async throws { throw CancellationError() }

    @Test func inABrowser() async throws {
        await #expect(throws: LoginError.self) {
            try await session.signInWithBrowser(asking: AuthorizationParameters(scope: scope)) { url in
                try await openInBrowser(url)
            }
        }
    }

    @Test func byCode() async throws {
        let login = try await session.beginSignIn(returningTo: "com.example.app:/callback")
        let callback = try await show(login.url)
        try await session.finishSignIn(login, callback: callback)
        #expect(session.state != .restoring)
        let who = try await session.finishSignIn(login, callback: callback)
        greet(who?.members["name"]?.string ?? "you")
        #expect(screen.shown == ["hello you"])
    }

    @Test func byCodeWithParameters() async throws {
        var parameters = AuthorizationParameters(scope: try Scope(parsing: "openid offline_access"))
        parameters.prompt = .selectAccount
        parameters.loginHint = "alice@example.com"
        parameters.others = [("audience", "https://api.example")]
        parameters.scope = scope
        let login = try await session.beginSignIn(returningTo: "com.example.app:/callback", asking: parameters)
        let callback = try await show(login.url)
        guard login.isAnswered(by: callback) else { return }
        try await session.finishSignIn(login, callback: callback)
        #expect(login.url.contains("audience=https%3A%2F%2Fapi.example"))
        #expect(session.state != .restoring)
    }

    @Test func whatMayComeOfIt() async throws {
        let login = try await session.beginSignIn(returningTo: "com.example.app:/callback")
        let state = try #require(try AuthorizationURL(login.url).query["state"])
        let callback = "com.example.app:/callback?error=access_denied&state=\(state)"
        do throws(LoginError) {
            try await session.finishSignIn(login, callback: callback)
        } catch {
            switch error {
            case .cancelled, .denied, .expired: showLogin()
            case .unavailable, .notKept: tryAgainLater()
            default: report("\(error)")
            }
        }
        #expect(screen.shown == ["login"])
    }

    @Test func errors() {
        let error = LoginError.badIDToken(.issuedInTheFuture)
        if case .badIDToken(.issuedInTheFuture) = error { askForTheRightTime() }
        #expect(screen.shown == ["what time is it?"])
    }

    @Test func whatIsShown() {
        do {
            let shown = LoginError.unavailable(Unavailability(.server(status: 503), retryAfter: .seconds(30)))
            #expect("\(shown)".contains("503"))
        }
        do {
            let shown = LoginError.refused(TokenRefusal(code: "unauthorized_client"))
            #expect("\(shown)".contains("unauthorized_client"))
        }
        do {
            let error = DiscoveryError.otherIssuer(asked: "https://id.example/")
            print(error)  // the metadata names another issuer than https://id.example/: both must be the same…
            #expect("\(error)".hasPrefix("the metadata names another issuer than https://id.example/: both must be"))
        }
    }

    @Test func onAnotherDevice() async throws {
        try await session.signInWithDevice(asking: scope) { prompt in
            print("Go to \(prompt.verificationURL) and type \(prompt.userCode)")
        }
        try await session.signInWithDevice { prompt in
            draw(prompt.completeVerificationURL ?? prompt.verificationURL)
            print(prompt.userCode)
        }
        #expect(screen.shown == ["https://id.example/device"])
    }

    @Test func byPassword() async throws {
        try await session.signInWithPassword(userName: "alice", password: Secret(utf8: "alice"))
        #expect(session.state != .restoring)
    }
}
