import Cookies
import HTTPMessages
import Primitives
import SessionClient
import Testing

/// The examples of the documentation: a session, its tokens, its states and its end.
@Suite struct SessionExamples: ExampleApp {
    let screen = ExampleScreen()
    private let clock = VirtualTime()
    private var alarm: VirtualTime { clock }
    private let store = MemorySessionStore()
    private let transport: ScriptedServer
    private let configuration = SessionConfiguration(issuer: "https://id.example", clientID: "native-app")
    private let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/resource")

    init() { transport = ExampleServer.make(clock) }

    private func signedIn() async throws -> SessionManager {
        let session = SessionManager(
            configuration: configuration, store: store, transport: transport, clock: clock, alarm: alarm)
        try await session.signInWithPassword(userName: "alice", password: Secret(utf8: "alice"))
        return session
    }

    private func using() async throws {
        let session = SessionManager(
            configuration: configuration, store: store, transport: transport, clock: clock, alarm: alarm)
        let token = try await session.accessToken()  // refreshes when due, once, for everybody
        let (response, body) = try await session.send(request)  // once more after a 401, and not a third time
        for await state in session.states { show(state) }
        #expect(token.type == "Bearer" && response.status == .ok && body.isEmpty)
    }

    @Test func aSession() async throws {
        _ = try await signedIn()
        let task = Task { try await using() }
        while !screen.shown.contains(where: { $0.hasPrefix("active") }) { await Task.yield() }
        task.cancel()
        try await task.value
        let session = SessionManager(
            configuration: SessionConfiguration(issuer: "https://id.example", clientID: "native-app"),
            store: store, transport: transport, clock: clock, alarm: alarm)
        let (response, body) = try await session.send(request)
        #expect(response.status == .ok && body.isEmpty)
        let (authorised, token) = try await session.authorised(request)
        #expect(authorised.headerFields.contains(.authorization) && token.type == "Bearer")
        let app = SessionManager(
            configuration: configuration, store: store, transport: transport, clock: clock, alarm: alarm)
        #expect(try await app.accessToken() == token)
    }

    @Test func configurations() {
        var configuration = SessionConfiguration(issuer: "https://id.example", clientID: "native-app")
        configuration.audience = [WebOrigin("https://api.example")!]
        configuration.binding = .whereOffered
        let secret = Secret(utf8: "secret")
        configuration.client = ClientIdentity("service", authentication: .basic(secret))
        #expect(configuration.client.clientID == "service")
        var timing = SessionTiming()
        timing.ahead = RefreshAhead(atLeast: .seconds(120))
        timing.rules.patience = .seconds(30)
        configuration.timing = timing
        timing.ahead = RefreshAhead(atLeast: .seconds(120), jitter: .seconds(60))
        timing.rules = RefreshRules(lease: .seconds(40), patience: .seconds(60))
        #expect(timing != configuration.timing)
    }

    @Test func tokens() async throws {
        let session = try await signedIn()
        let socket = Socket()
        let token = try await session.accessToken()
        socket.send(token.secret)
        let another = try await session.accessToken(replacing: token)  // where the server has refused it
        #expect(another != token)
        #expect(another.secret == Secret(utf8: "a2"))
    }

    private struct Socket {
        func send(_ secret: Secret) {}
    }

    @Test func errors() async throws {
        let session = SessionManager(
            configuration: configuration, store: store, transport: transport, clock: clock, alarm: alarm)
        do throws(SessionError) {
            use(try await session.accessToken())
        } catch {
            switch error {
            case .signedOut, .store(.corrupt): showLogin()
            case .store(.locked), .unavailable, .timedOut: tryAgainLater()
            case .store, .refused, .replacedByAnotherLogin, .foreignServer: report("\(error)")
            case .cancelled: break
            }
        }
        #expect(screen.shown == ["login"])
    }

    @Test func states() async throws {
        let session = try await signedIn()
        let screen =
            switch session.state {
            case .restoring, .locked: "splash"
            case .signedOut: "login"
            case .active, .offline: "app"
            }
        #expect(screen == "app")
        if case .active(let info) = session.state, !info.canRefresh {
            print("signed in until \(info.expires, default: "the server says no")")
        }
        let shown = [SessionState.active(SessionInfo()), .offline(SessionInfo()), .signedOut(SignOut(.user))]
        #expect(Set(shown).count == 3)
    }

    @Test func whatASignOutIsFor() {
        let shown = SessionState.signedOut(SignOut(.refused(code: "invalid_grant")))
        #expect(shown != .signedOut(SignOut(.user)))
    }

    @Test func signOut() async throws {
        let session = try await signedIn()
        try await session.signOut()
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        if let logout = try await session.signOutEverywhere() { open(logout.url) }
        #expect(screen.shown.first?.hasPrefix("https://id.example/logout?") == true)
        if let logout = try await session.signOutEverywhere(returningTo: "com.example.app:/bye") {
            let callback = try await show(logout.url)
            print(logout.isAnswered(by: callback))
        }
    }

    private func open(_ url: String) { screen.note(url) }
    private func show(_ url: String) async throws -> String { "com.example.app:/bye?state=another" }

    @Test func cookies() async throws {
        let cookies = CookieSession(
            refresh: "https://app.example/session/refresh", end: "https://app.example/session",
            accessCookie: "__Host-session", refreshCookie: "__Secure-refresh")
        let session = try SessionManager(
            cookies: cookies, store: store, transport: transport, clock: clock, alarm: alarm)
        let login = HTTPRequest(method: .post, scheme: "https", authority: "app.example", path: "/session")
        let form = Array("username=alice".utf8)
        transport.enqueue(
            .status(200, [.setCookie: "__Host-session=1; Path=/; Secure; HttpOnly; Max-Age=60"]))
        let (response, body) = try await transport.send(login, body: form)
        try await session.signIn(by: response, body: body, to: login)
        #expect(try await session.accessToken().type == "Cookie")
    }

    @Test func cookiesInTheClear() {
        let cookies = CookieSession(
            refresh: "http://app.example/session/refresh", end: "https://app.example/session",
            accessCookie: "__Host-session", refreshCookie: "__Secure-refresh")
        #expect(throws: ServerEndpointError.notEncrypted) {
            try SessionManager(cookies: cookies, store: store, transport: transport, clock: clock, alarm: alarm)
        }
        do throws(ServerEndpointError) {
            _ = try SessionManager(
                cookies: cookies, store: store, transport: transport, clock: clock, alarm: alarm)
        } catch {
            print(error)  // it is an http URL of another machine: tokens go over https…
        }
    }

    @Test func adopting() async throws {
        var legacy = Legacy()
        let session = SessionManager(
            configuration: configuration, store: store, transport: transport, clock: clock, alarm: alarm)
        if let old = try legacy.refreshToken() {
            try await session.adopt(refreshToken: Secret(utf8: old))
            legacy.removeTokens()
        }
        #expect(try await session.accessToken().secret == Secret(utf8: "a8"))
    }

    private struct Legacy {
        private var token: String? = "r7"
        func refreshToken() throws -> String? { token }
        mutating func removeTokens() { token = nil }
    }

    @Test func adoptingCookies() async throws {
        let cookies = CookieSession(
            refresh: "https://app.example/session/refresh", end: "https://app.example/session",
            accessCookie: "__Host-session", refreshCookie: "__Secure-refresh")
        let session = try SessionManager(
            cookies: cookies, store: store, transport: transport, clock: clock, alarm: alarm)
        let oldAccess = Cookie(
            name: "__Host-session", value: "1", domain: "app.example", isSecure: true, at: clock.now())
        let oldRefresh = Cookie(
            name: "__Secure-refresh", value: "1", domain: "app.example", isSecure: true, at: clock.now())
        try await session.adopt(cookies: [oldAccess, oldRefresh])
        #expect(session.state != .restoring)
    }
}
