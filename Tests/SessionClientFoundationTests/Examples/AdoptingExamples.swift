import Cookies
import Foundation
import HTTPMessages
import IdentityProviderTesting
import OAuth
import Primitives
import SessionClient
import SessionClientFoundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What stands in the article about adopting the library.
@Suite struct AdoptingExamples {
    private let screen = Screen()

    private final class Screen: Sendable {
        let shown = Mutex<[String]>([])
    }

    private func show(_ state: SessionState) { note("\(state)") }
    private func show(_ url: String) async throws -> String { throw CancellationError() }
    private func openInBrowser(_ url: String) async throws { throw CancellationError() }
    private func showPlaceholder() { note("placeholder") }
    private func showLogin() { note("login") }
    private func showApp(isOffline: Bool) { note(isOffline ? "offline" : "online") }
    private func note(_ text: String) { screen.shown.withLock { $0.append(text) } }
    private func store() -> MemorySessionStore { MemorySessionStore() }

    /// Compiled and not run: it would ask the user for his browser.
    private func inTenLines(_ url: URL) async throws {
        let session = SessionManager(
            configuration: SessionConfiguration(issuer: "https://id.example", clientID: "native-app"),
            store: try EncryptedFileStore(group: "team.example.app"))

        try await session.signInWithBrowser { url in try await openInBrowser(url) }
        let (data, response) = try await session.data(for: URLRequest(url: url))
        let token = try await session.accessToken()
        for await state in session.states { show(state) }

        _ = (data, response, token)
    }

    private func signIn(_ session: SessionManager, scope: Scope) async throws {
        let parameters = AuthorizationParameters(scope: try Scope(parsing: "openid offline_access"))
        let login = try await session.beginSignIn(returningTo: "com.example.app:/callback", asking: parameters)
        let callback = try await show(login.url)
        let who = try await session.finishSignIn(login, callback: callback)

        _ = who
    }

    private func signInWithDevice(_ session: SessionManager, scope: Scope) async throws {
        try await session.signInWithDevice(asking: scope) { prompt in
            print("Go to \(prompt.verificationURL) and type \(prompt.userCode)")
        }
    }

    private func follow(_ session: SessionManager) async {
        for await state in session.states {
            switch state {
            case .restoring, .locked: showPlaceholder()
            case .signedOut: showLogin()
            case .active: showApp(isOffline: false)
            case .offline: showApp(isOffline: true)
            }
        }
    }

    @Test func statesAreFollowed() async throws {
        let session = SessionManager(
            configuration: SessionConfiguration(issuer: "https://id.example", clientID: "native-app"), store: store())
        let following = Task { await follow(session) }
        while screen.shown.withLock({ $0.isEmpty }) { await Task.yield() }
        following.cancel()
        #expect(screen.shown.withLock { $0 } == ["placeholder"])
    }

    @Test func keysBeforeTheFirstLogin() {
        var configuration = SessionConfiguration(issuer: "https://id.example", clientID: "native-app")
        configuration.binding = .whereOffered
        #expect(configuration.binding == .whereOffered)
    }

    @Test func cookies() async throws {
        let store = store()
        let transport = URLSessionTransport()
        let form = Array("client_id=web&username=alice&password=alice".utf8)
        let cookies = CookieSession(
            refresh: "https://app.example/session/refresh", end: "https://app.example/session",
            accessCookie: "__Host-session", refreshCookie: "__Secure-refresh")
        let session = try SessionManager(cookies: cookies, store: store)
        let signIn = { @Sendable (login: HTTPRequest) async throws in
            let (response, body) = try await transport.send(login, body: form)
            try await session.signIn(by: response, body: body, to: login)
        }
        await #expect(throws: (any Error).self) {
            try await signIn(HTTPRequest(method: .post, scheme: "http", authority: "127.0.0.1:1", path: "/session"))
        }
    }

    @Test func aWebView() async throws {
        let cookies = CookieSession(
            refresh: "https://app.example/session/refresh", end: "https://app.example/session",
            accessCookie: "__Host-session", refreshCookie: "__Secure-refresh")
        let session = try SessionManager(cookies: cookies, store: store())
        let environment = SimulatedWebEnvironment(
            clock: SystemWallClock(), alarm: SystemAlarm(), random: SystemRandom())
        let pool = SimulatedProcessPool(disk: SimulatedWebDisk(), environment: environment)
        let surface = SimulatedWebView(store: pool.sharedStore)
        let configuration = WebBridgeConfiguration(
            origins: [WebOrigin("https://app.example")!], refreshCookies: ["__Secure-refresh"])
        let pages = SessionPages(session, leavingOut: ["__Secure-refresh"])
        let bridge = WebSessionBridge(session: pages, surface: surface, configuration: configuration)
        try await bridge.open("https://app.example/account")
        #expect(surface.loads == ["https://app.example/account"])
        bridge.close()
    }

    @Test func aSessionIsRefreshed() async throws {
        try await withIdentityProvider(TestSetup(rotation: "strict")) { idp in
            let session = SessionManager(
                configuration: SessionConfiguration(issuer: idp.issuer, clientID: "native"),
                store: MemorySessionStore())
            let tokens = try await idp.tokens(for: "alice", client: "native", scope: "openid offline_access")
            try await session.adopt(refreshToken: Secret(utf8: tokens.refreshToken!))

            let userinfo = URLRequest(url: URL(string: idp.url("/userinfo"))!)
            _ = try await session.data(for: userinfo)
            idp.clock.advance(by: .seconds(3600))
            let (_, response) = try await session.data(for: userinfo)
            #expect(response.statusCode == 200)

            try await idp.endSession(tokens.loginID)
            await #expect(throws: SessionError.self) { try await session.data(for: userinfo) }
        }
    }

    @Test func aWebViewLosesEverything() async throws {
        let session = SessionManager(
            configuration: SessionConfiguration(issuer: "https://id.example", clientID: "native-app"), store: store())
        var behaviour = SimulatedWebBehaviour()
        behaviour.lossAtKill = 100
        let environment = SimulatedWebEnvironment(
            clock: SystemWallClock(), alarm: SystemAlarm(), random: SeededRandom(seed: 1), behaviour: behaviour)
        let pool = SimulatedProcessPool(disk: SimulatedWebDisk(), environment: environment)
        let webView = SimulatedWebView(store: pool.privateStore())
        let bridge = WebSessionBridge(
            session: SessionPages(session, leavingOut: []), surface: webView,
            configuration: WebBridgeConfiguration(origins: [], refreshCookies: []))
        #expect(try await bridge.open("https://app.example/") == .signedOut)
        webView.killContentProcess()
        bridge.close()
    }

    private func end(_ session: SessionManager) async throws {
        try await session.signOut()
        if let logout = try await session.signOutEverywhere() { try await openInBrowser(logout.url) }
    }
}
