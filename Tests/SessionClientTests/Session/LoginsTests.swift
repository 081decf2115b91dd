import Cookies
import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

/// Logins as a session offers them: what they bring is stored, and what cannot be stored is given back.
@Suite struct LoginsTests {
    private let time = VirtualTime()
    private let store = WatchedStore()

    private func session(
        _ provider: SmallProvider, binding: SessionConfiguration.TokenBinding = .none
    ) -> SessionManager {
        var configuration = SessionConfiguration(issuer: "https://id.example", clientID: "native-app")
        configuration.binding = binding
        return SessionManager(
            configuration: configuration, store: store, transport: provider, clock: time, alarm: time)
    }

    private func cookieSession(_ desk: CookieDesk) throws -> SessionManager {
        let cookies = CookieSession(
            refresh: "https://id.example/session/refresh", end: "https://id.example/session", accessCookie: "access",
            refreshCookie: "refresh")
        return try SessionManager(cookies: cookies, store: store, transport: desk, clock: time, alarm: time)
    }

    private func error(_ body: () async throws -> Void) async -> LoginError? {
        do {
            try await body()
            return nil
        } catch { return error as? LoginError }
    }

    private func signIn(_ session: SessionManager) async throws(LoginError) {
        try await session.signInWithPassword(
            userName: "alice", password: Secret(utf8: "alice"), scope: try! Scope(parsing: "read"))
    }

    // MARK: Tokens

    @Test func keepsWhatALoginBringsAndRefreshesIt() async throws {
        let provider = SmallProvider()
        let session = session(provider)
        try await signIn(session)
        #expect(text(of: try await session.accessToken().secret) == "a1")
        // What the grant does not say of its scope is what was asked for (RFC 6749 section 5.1).
        #expect(try await store.record()?.credential?.scope?.text == "read")
        time.advance(by: .seconds(3590))
        #expect(text(of: try await session.accessToken().secret) == "a2")
        #expect(provider.paths == ["/.well-known/openid-configuration", "/token", "/token"])
    }

    @Test func sendsWithItsOwnTransport() async throws {
        let provider = SmallProvider()
        let session = session(provider)
        try await signIn(session)
        _ = try await session.send(HTTPRequest(method: .get, scheme: "https", authority: "id.example", path: "/x"))
        #expect(provider.requests.last?[.authorization] == "Bearer a1")
    }

    @Test(
        arguments: [
            ("https", "id.example", true), ("https", "api.example", true), ("http", "127.0.0.1:8080", true),
            ("http", "[::1]", true), ("http", "localhost", true), ("http", "api.example", false),
            ("http", "127.0.0.1.example", false), ("ftp", "api.example", false), ("https", "", false),
        ])
    func showsTheTokenToNobodyOnTheWay(_ scheme: String, _ authority: String, _ isSent: Bool) async throws {
        let provider = SmallProvider()
        let session = session(provider)
        try await signIn(session)
        let request = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: "/x")
        var found: SessionError?
        do throws(SessionError) { _ = try await session.send(request) } catch { found = error }
        #expect((found == .foreignServer) == !isSent)
        #expect((provider.requests.last?[.authorization] != nil) == isSent)
    }

    @Test(
        arguments: [
            ("https://api.example/x", true), ("https://API.example:443/x", true), ("https://id.example/x", false),
            ("https://api.example:8443/x", false), ("http://127.0.0.1/x", false), ("https://a.api.example/x", false),
        ])
    func showsTheTokenToItsAudienceAlone(_ url: String, _ isSent: Bool) async throws {
        let provider = SmallProvider()
        var configuration = SessionConfiguration(issuer: "https://id.example", clientID: "native-app")
        configuration.audience = [try #require(WebOrigin("https://api.example"))]
        let session = SessionManager(
            configuration: configuration, store: store, transport: provider, clock: time, alarm: time)
        try await signIn(session)
        let parts = url.split(separator: "/")
        let request = HTTPRequest(
            method: .get, scheme: String(parts[0].dropLast()), authority: String(parts[1]), path: "/x")
        var found: SessionError?
        do throws(SessionError) { _ = try await session.authorised(request) } catch { found = error }
        #expect(found == (isSent ? nil : .foreignServer))
        #expect(((try? await session.send(request)) != nil) == isSent)
        // Its refreshes go to the provider all the same.
        time.advance(by: .seconds(3600))
        #expect(text(of: try await session.accessToken().secret) == "a2")
    }

    @Test func aRequestIsAuthorisedForWhoeverSendsItHimself() async throws {
        let provider = SmallProvider(["dpop_signing_alg_values_supported": ["ES256"]])
        let request = HTTPRequest(method: .get, scheme: "https", authority: "api.example", path: "/x")
        await #expect(throws: SessionError.signedOut(SignOut(.never))) {
            try await session(provider).authorised(request)
        }
        try await signIn(session(provider))
        let (bearer, token) = try await session(provider).authorised(request)
        #expect(text(of: token.secret) == "a1")
        #expect(bearer.headerFields[.authorization] == "Bearer a1" && bearer.headerFields[.dpop] == nil)
        let other = session(provider, binding: .whereOffered)
        try await signIn(other)
        time.advance(by: .seconds(3600))
        let bound = try await other.authorised(request).0
        #expect(bound.headerFields[.authorization] == "DPoP a3" && bound.headerFields[.dpop] != nil)
    }

    @Test func aServerThatNobodyCanAskEndsNoSession() async throws {
        let provider = SmallProvider()
        try await signIn(session(provider))
        // A process that was just started knows nothing of the server yet.
        let later = session(provider)
        provider.isReachable(false)
        time.advance(by: .seconds(3600))
        await #expect(throws: SessionError.self) { try await later.accessToken() }
        #expect(try await store.record()?.credential != nil)
        provider.isReachable(true)
        time.advance(by: .seconds(2))
        #expect(text(of: try await later.accessToken().secret) == "a2")
    }

    @Test func metadataThatIsWrongEndsNoSession() async throws {
        let provider = SmallProvider()
        try await signIn(session(provider))
        provider.change("issuer", to: "https://other.example")
        time.advance(by: .seconds(3600))
        let later = session(provider)
        await #expect(throws: SessionError.self) { try await later.accessToken() }
        #expect(try await store.record()?.credential != nil)
        #expect(!provider.paths.dropFirst(2).contains("/token"), "it was sent to a server that is another's")
    }

    @Test func saysWhyAServerIsNotKnown() async {
        let provider = SmallProvider(["issuer": "https://other.example"])
        let found = await error { try await signIn(session(provider)) }
        #expect(found == .unknownServer(.otherIssuer(asked: "https://id.example")))
    }

    @Test(arguments: [SessionConfiguration.TokenBinding.none, .whereOffered], [false, true])
    func bindsTokensWhereThatIsWantedAndOffered(
        _ binding: SessionConfiguration.TokenBinding, _ isOffered: Bool
    ) async throws {
        let provider = SmallProvider(isOffered ? ["dpop_signing_alg_values_supported": ["ES256"]] : [:])
        let session = session(provider, binding: binding)
        try await signIn(session)
        let isBound = binding == .whereOffered && isOffered
        #expect((provider.requests.last?[.dpop] != nil) == isBound)
        #expect((try await store.record()?.credential?.dpopKey != nil) == isBound)
        // And so is what comes later.
        time.advance(by: .seconds(3600))
        _ = try await session.accessToken()
        #expect((provider.requests.last?[.dpop] != nil) == isBound)
    }

    @Test func whatCannotBeStoredIsGivenBack() async throws {
        let provider = SmallProvider()
        let session = session(provider)
        store.failWrites(with: .failed(reason: "the disk is full"))
        let found = await error { try await signIn(session) }
        #expect(found == .notKept(.store(.failed(reason: "the disk is full"))))
        #expect(provider.paths.last == "/revoke")
        #expect(provider.requests.last?.form["token"] == "r1")
        store.failWrites(with: nil)
        await #expect(throws: SessionError.self) { try await session.accessToken() }
    }

    /// So that the session does not end with its first access token; and so that no server refuses what it does not know.
    @Test(
        arguments: [
            (["openid", "email", "offline_access"], "openid offline_access"), (["openid"], "openid"), (["read"], nil),
            (nil, nil),
        ] as [(JSON?, String?)])
    func asksForALoginThatLastsWhereThatIsOffered(_ offered: JSON?, _ asked: String?) async throws {
        let provider = SmallProvider()
        provider.change("scopes_supported", to: offered)
        let login = try await session(provider).beginSignIn(returningTo: "com.example.app:/callback")
        let scope = login.url.split(separator: "&").first { $0.hasPrefix("scope=") }?.dropFirst(6)
        #expect(scope.map { String($0).replacing("%20", with: " ") } == asked)
        let own = try await session(provider).beginSignIn(
            returningTo: "com.example.app:/callback",
            asking: AuthorizationParameters(scope: try Scope(parsing: "read")))
        #expect(own.url.contains("scope=read"))
    }

    @Test(arguments: ["", "no uri", "http://app.example/callback#x", "javascript:alert(1)"])
    func refusesARedirectURIThatIsNone(_ uri: String) async {
        let session = session(SmallProvider())
        guard case .badRequest? = await error({ _ = try await session.beginSignIn(returningTo: uri) }) else {
            Issue.record("\(uri) was taken")
            return
        }
        guard case .badRequest? = await error({ _ = try await session.signOutEverywhere(returningTo: uri) }) else {
            Issue.record("\(uri) was taken at the sign-out")
            return
        }
    }

    @Test func aForeignAnswerSignsNobodyIn() async throws {
        let session = session(SmallProvider())
        let login = try await session.beginSignIn(returningTo: "com.example.app:/callback")
        let callback = "com.example.app:/callback?code=x&state=y"
        let error = await error { try await session.finishSignIn(login, callback: callback) }
        #expect(error == .foreignAnswer(.otherState))
        #expect(try await store.record() == nil)
    }

    // MARK: Sign-out

    @Test func signsOutInTheBrowserToo() async throws {
        let provider = SmallProvider()
        let idToken = LoginFixtures.idToken()
        provider.adds(idToken: idToken)
        let session = session(provider)
        try await signIn(session)
        let request = try await session.signOutEverywhere(returningTo: "com.example.app:/bye")
        let url = try #require(request?.url)
        #expect(url.hasPrefix("https://id.example/logout?id_token_hint=\(idToken)&client_id=native-app&"))
        #expect(url.contains("&post_logout_redirect_uri=com.example.app%3A%2Fbye&state="))
        #expect(try await store.record()?.credential == nil)
    }

    @Test func signsOutWhereTheServerOffersNoMore() async throws {
        let provider = SmallProvider(["end_session_endpoint": .null])
        let session = session(provider)
        try await signIn(session)
        #expect(try await session.signOutEverywhere() == nil)
        #expect(try await store.record()?.credential == nil)
        #expect(provider.paths.contains("/revoke"))
    }

    // MARK: Cookies

    private let login = HTTPRequest(method: .post, scheme: "https", authority: "id.example", path: "/session")

    @Test func keepsTheCookiesOfALogin() async throws {
        let session = try cookieSession(CookieDesk(time))
        var response = HTTPResponse(status: .ok)
        response.headerFields[values: .setCookie] = CookieDesk.fields(1)
        try await session.signIn(by: response, body: [], to: login)
        let (answer, _) = try await session.send(
            HTTPRequest(method: .get, scheme: "https", authority: "id.example", path: "/resource"))
        #expect(answer.status == .ok)
    }

    /// S16: its name is said once.
    @Test func aSessionOfCookiesKeepsItsRefreshCookieToItself() async throws {
        let session = try cookieSession(CookieDesk(time))
        var response = HTTPResponse(status: .ok)
        response.headerFields[values: .setCookie] = CookieDesk.fields(1)
        try await session.signIn(by: response, body: [], to: login)
        let pages = SessionPages(session)
        #expect(pages.refreshCookies == ["refresh"])
        let cookies = try await pages.pageCookies()
        #expect(cookies.cookies.map(\.name) == ["access"])
        #expect(cookies.gone.map(\.name) == ["refresh"])
    }

    @Test(arguments: [(401, "invalid_grant"), (400, "invalid_request")])
    func signsNobodyInByARefusal(_ status: Int, _ code: String) async throws {
        let session = try cookieSession(CookieDesk(time))
        let response = HTTPResponse(status: .init(code: status, reasonPhrase: ""))
        let found = await error {
            try await session.signIn(by: response, body: Array(#"{"error":"\#(code)"}"#.utf8), to: login)
        }
        #expect(found == .refused(TokenRefusal(code: code)))
        #expect(try await store.record() == nil)
    }

    @Test func anAnswerWithoutCookiesIsNoLogin() async throws {
        let session = try cookieSession(CookieDesk(time))
        let found = await error { try await session.signIn(by: HTTPResponse(status: .ok), body: [], to: login) }
        #expect(found == .unavailable(Unavailability(.unreadable)))
    }

    @Test func eachSessionHasItsOwnLogins() async throws {
        let tokens = session(SmallProvider())
        #expect(
            await error { try await tokens.signIn(by: HTTPResponse(status: .ok), body: [], to: login) }
                == .notPossibleHere("this session is not kept in cookies"))
        let cookies = try cookieSession(CookieDesk(time))
        #expect(
            await error { try await signIn(cookies) }
                == .notPossibleHere("this session is kept in cookies: sign in by an answer that sets them"))
    }

    @Test(arguments: ["http://id.example/session", "id.example", ""])
    func refusesAnAddressThatNoTokenMayGoTo(_ url: String) {
        let cookies = CookieSession(refresh: url, end: "https://id.example/s", accessCookie: "a", refreshCookie: "r")
        #expect(throws: ServerEndpointError.self) {
            try SessionManager(cookies: cookies, store: store, transport: .none, clock: time, alarm: time)
        }
    }
}
