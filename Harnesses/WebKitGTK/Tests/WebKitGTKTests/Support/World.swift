import Cookies
import Foundation
import HTTPMessages
import IdentityProviderTesting
import Primitives
import SessionClient
import SessionClientFoundation
import Synchronization
import Testing
import WebKitGTKSurface

/// An app with a login: a provider, a site of the app whose pages need to be signed in, and the session in between.
///
/// A user signs in once, at the beginning. Whoever is signed in later without another login is so by this one.
@GLibActor
final class World {
    static let client = "app"

    let idp: TestIdentityProvider
    let site: Site
    let transport: WatchedTransport
    let session: SessionManager
    let store = MemorySessionStore()
    let accessName: String
    let refreshName: String
    private let clock = AheadClock()

    private init(_ idp: TestIdentityProvider, _ site: Site) throws {
        self.idp = idp
        self.site = site
        let port = idp.issuer.split(separator: ":").last.map(String.init) ?? ""
        accessName = "pawl_access_\(Self.client)_\(port)"
        refreshName = "pawl_refresh_\(Self.client)_\(port)"
        transport = WatchedTransport(refreshName)
        session = try SessionManager(
            cookies: CookieSession(
                refresh: idp.url("/session/refresh"), end: idp.url("/session"), accessCookie: accessName,
                refreshCookie: refreshName),
            store: store, transport: transport, clock: clock, alarm: SystemAlarm())
    }

    static func with(_ body: (World) async throws -> Void) async throws {
        var client = TestClient.publicApp(client, redirectURI: "http://127.0.0.1/callback")
        client.cookieSession = TestCookieSession()
        try await withIdentityProvider(TestSetup(clients: [client])) { idp in
            let transport = URLSessionTransport()
            let answer: Site.Handler = { request in await Self.answer(request, by: idp.issuer, transport) }
            try await Site.serving(answer) { site in
                let world = try World(idp, site)
                try await world.signIn()
                try await body(world)
            }
        }
    }

    private func signIn() async throws {
        let form = "client_id=\(Self.client)&username=alice&password=alice"
        let url = URL(string: idp.issuer)!
        let request = HTTPRequest(
            method: .post, scheme: "http", authority: "\(url.host()!):\(url.port!)", path: "/session",
            headerFields: [.contentType: "application/x-www-form-urlencoded"])
        let (response, body) = try await transport.send(request, body: Array(form.utf8))
        try await session.signIn(by: response, body: body, to: request)
    }

    // MARK: The site

    /// `/app` is a page with the script of an app, whoever asks; everything below `/api` wants to know who it is.
    private static func answer(
        _ request: Site.Request, by issuer: String, _ transport: URLSessionTransport
    ) async -> Site.Answer {
        let status = await whoIs(request, by: issuer, transport)
        if request.path.hasPrefix("/api") {
            return Site.Answer(status: UInt32(status), type: "application/json", body: "{}")
        }
        return .page(appScript, body: status == 200 ? "signed in" : "signed out")
    }

    /// What the provider says to the cookies of a request.
    private static func whoIs(
        _ request: Site.Request, by issuer: String, _ transport: URLSessionTransport
    ) async -> Int {
        guard let cookie = request.cookie, let url = URL(string: issuer), let host = url.host(), let port = url.port
        else { return 401 }
        let question = HTTPRequest(
            method: .get, scheme: "http", authority: "\(host):\(port)", path: "/session?client_id=\(client)",
            headerFields: [.cookie: cookie])
        guard let (response, _) = try? await transport.send(question, body: []) else { return 503 }
        return response.status.code
    }

    /// What pages of an app do that are refused. They say what they had when they were refused, which need not be what they have when
    /// they hear of it: meanwhile another part of the page may have got something newer. And they ask twice: what the app has may
    /// be newer than what the page knows of, and over all the same.
    private static let appScript = """
        let latest;
        const me = async () => {
            const told = {};
            let generation = latest;
            let answer = await fetch("/api/me");
            told.first = answer.status;
            for (let attempt = 0; attempt < 2 && answer.status === 401; attempt++) {
                told.state = await webkit.messageHandlers.session.postMessage({type: "refresh", generation});
                latest = generation = told.state.generation ?? latest;
                answer = await fetch("/api/me");
                told.second = answer.status;
                if (told.state.status !== "signed_in") { break; }
            }
            return told;
        };
        """

    // MARK: What a test wants

    func configuration(_ origins: String...) -> WebBridgeConfiguration {
        WebBridgeConfiguration(
            origins: ([site.origin] + origins).compactMap { WebOrigin($0) }, refreshCookies: [refreshName])
    }

    /// - Parameter surface: `nil`: the browser's own.
    func bridge(
        _ browser: Browser, _ configuration: WebBridgeConfiguration? = nil, through surface: (any WebSurface)? = nil
    ) -> WebSessionBridge {
        WebSessionBridge(
            session: SessionPages(session, leavingOut: [refreshName]), surface: surface ?? browser.surface,
            configuration: configuration ?? self.configuration(), clock: clock, alarm: SystemAlarm())
    }

    /// The access token is over, and nobody has noticed yet.
    func expireAccessToken() { idp.clock.advance(by: .seconds(301)) }

    /// The same, and the app notices: its clock goes with the provider's.
    func passAccessTokenLifetime() {
        expireAccessToken()
        clock.advance(by: .seconds(301))
    }

    var refreshCount: Int { idp.requests.filter { $0.path == "/session/refresh" }.count }
    var loginCount: Int { idp.requests.filter { $0.method == "POST" && $0.path == "/session" }.count }

    /// The access token that a browser has.
    func access(_ browser: Browser) async -> String? {
        await browser.cookies().first { $0.name == accessName }?.value
    }

    /// What the page says of itself.
    func text(_ browser: Browser) async -> String? {
        try? await browser.script("return document.body.firstChild.textContent").string
    }
}

/// Real time, and a while more.
private final class AheadClock: WallClock {
    private let ahead = Mutex(Duration.zero)

    func now() -> Timestamp { SystemWallClock().now() + ahead.withLock { $0 } }

    func advance(by duration: Duration) { ahead.withLock { $0 += duration } }
}

/// What the app itself sends, and every refresh token that it ever got.
final class WatchedTransport: OutboundRequests {
    private struct State {
        var tokens: Set<String> = []
        var isHolding = false
        var held: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())
    private let transport = URLSessionTransport()
    private let refreshName: String

    init(_ refreshName: String) { self.refreshName = refreshName }

    var refreshTokens: Set<String> { state.withLock { $0.tokens } }

    /// Whether something is on its way and was held back.
    var isHeld: Bool { state.withLock { !$0.held.isEmpty } }

    func hold() { state.withLock { $0.isHolding = true } }

    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isHolding = false
            return state.held
        }
        for continuation in held { continuation.resume() }
    }

    func send(
        _ request: HTTPRequest, body: [UInt8]
    ) async throws(OutboundFailure) -> (HTTPResponse, [UInt8]) {
        await withCheckedContinuation { continuation in
            let isHolding = state.withLock { state in
                if state.isHolding { state.held.append(continuation) }
                return state.isHolding
            }
            if !isHolding { continuation.resume() }
        }
        let (response, body) = try await transport.send(request, body: body)
        let prefix = refreshName + "="
        for field in response.headerFields[values: .setCookie] where field.hasPrefix(prefix) {
            let value = String(field.dropFirst(prefix.count).prefix { $0 != ";" })
            if !value.isEmpty { state.withLock { _ = $0.tokens.insert(value) } }
        }
        return (response, body)
    }
}
