import Cookies
import HTTPMessages
import IdentityProviderTesting
import Primitives
import SessionClient
import SessionClientFoundation

/// What both halves play on: a provider that keeps the session in two cookies, a page that wants one of them, and time.
struct Stage: Sendable {
    let idp: TestIdentityProvider
    let time: ProviderTime

    static let accessCookie = "demo_access"
    static let refreshCookie = "demo_refresh"
    static let accessTokenLifetime = Duration.seconds(300)
    /// For what is to come from the other side, of a machine that is busy.
    static let longestWait = Duration.seconds(30)
    private static let client = "demo"

    /// - Throws: where there is no such rotation.
    static func setup(rotation: String) -> TestSetup {
        var app = TestClient.publicApp(client, redirectURI: "http://127.0.0.1/callback")
        var cookies = TestCookieSession()
        cookies.accessCookie.name = accessCookie
        cookies.refreshCookie.name = refreshCookie
        app.cookieSession = cookies
        return TestSetup(
            clients: [app], accessTokenLifetime: accessTokenLifetime, rotation: rotation,
            recordedRequests: Options.mostExpiries * 10)
    }

    init(_ idp: TestIdentityProvider) {
        self.idp = idp
        time = ProviderTime(clock: idp.clock)
    }

    /// What the app shows and what the page shows: something that only who is signed in may see.
    var content: String { idp.url("/session/resource") }
    /// Takes the refresh token in its cookie, and answers with two new cookies.
    var refresh: String { idp.url("/session/refresh") }
    /// Where somebody signs in, and out.
    var session: String { idp.url("/session") }

    /// Why the provider has ended the session that began last; `nil`: it has not.
    var endReason: String? {
        get async throws { try await idp.sessions().max { $0.secondsSince1970 < $1.secondsSince1970 }?.endReason }
    }

    /// The access token is over, for the app and for the page.
    func letTheTokenExpire() { idp.clock.advance(by: Self.accessTokenLifetime + .seconds(1)) }

    func transport(of side: Side) -> NamedTransport { NamedTransport(side: side, base: URLSessionTransport()) }

    /// A web view that does not exist, and behaves as those that do: its cookie store is elsewhere and slow.
    func webView() -> SimulatedWebView {
        let environment = SimulatedWebEnvironment(
            clock: time, alarm: SystemAlarm(), random: SystemRandom(), network: transport(of: .webView))
        return SimulatedWebView(
            store: SimulatedProcessPool(disk: SimulatedWebDisk(), environment: environment).sharedStore)
    }

    func request(_ method: HTTPRequest.Method, _ url: String) -> HTTPRequest {
        let rest = url.dropFirst("http://".count)
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        return HTTPRequest(
            method: method, scheme: "http", authority: String(rest[..<slash]), path: String(rest[slash...]))
    }

    /// What somebody who signs in sends.
    func login() -> (request: HTTPRequest, body: [UInt8]) {
        var request = request(.post, session)
        request.headerFields[.contentType] = "application/x-www-form-urlencoded"
        return (request, Array("client_id=\(Self.client)&username=alice&password=alice".utf8))
    }
}
