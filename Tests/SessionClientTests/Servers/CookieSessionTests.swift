import Cookies
import HTTPMessages
import Primitives
import SessionClient
import Testing

/// A session that is kept in cookies (S3): refreshed by its cookie, shown by its cookie, and given to a web view without the
/// one that is worth the session (S16).
@Suite struct CookieSessionTests {
    private let time = VirtualTime()
    private let store = WatchedStore()

    private func server(_ desk: CookieDesk) throws -> CookieSessionServer {
        CookieSessionServer(
            refresh: try ServerEndpoint("https://id.example/session/refresh"),
            end: try ServerEndpoint("https://id.example/session"), accessCookie: "access", refreshCookie: "refresh",
            outbound: desk, clock: time)
    }

    /// What a login answers with.
    private func grant(_ server: CookieSessionServer, _ fields: [String] = CookieDesk.fields(1)) throws -> TokenGrant {
        var response = HTTPResponse(status: .ok)
        response.headerFields[values: .setCookie] = fields
        let context = CookieContext(url: try #require(CookieURL("https://id.example/session")))
        guard case .granted(let grant) = server.read(response, [], from: context) else {
            throw SessionError.timedOut
        }
        return grant
    }

    private func signedIn(_ desk: CookieDesk) async throws -> SessionManager {
        let server = try server(desk)
        let session = SessionManager(server: server, store: store, clock: time, alarm: time)
        try await session.signIn(try grant(server))
        return session
    }

    private func request(_ path: String, at host: String = "id.example") -> HTTPRequest {
        HTTPRequest(method: .get, scheme: "https", authority: host, path: path)
    }

    @Test func aRequestHasTheAccessCookieAndNeverTheOther() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        _ = try await session.send(request("/resource"), through: desk)
        _ = try? await session.send(request("/session/anything"), through: desk)
        #expect(desk.seen.map(\.cookie) == ["access=a1", "access=a1"])
        // And nobody else has either of them.
        _ = try? await session.send(request("/resource", at: "other.example"), through: desk)
        #expect(desk.seen.dropFirst(2).filter { $0.path == "/resource" }.allSatisfy { $0.cookie == nil })
    }

    /// R16: the server has rotated, and the refresh cookie before is spent.
    @Test func aRefreshCookieThatComesAloneIsKept() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        desk.answers(200, "{}", setting: [CookieDesk.fields(2)[1]])
        time.advance(by: .seconds(3600))
        await #expect(throws: SessionError.unavailable(.unreadable, retryAt: time.now() + .seconds(1))) {
            try await session.accessToken()
        }
        desk.answers(200, "{}", setting: CookieDesk.fields(3))
        time.advance(by: .seconds(1))
        #expect(text(of: try await session.accessToken().secret) == "a3")
        #expect(desk.seen.map { $0.cookie ?? "" }.map { $0.contains("refresh=r2") } == [false, true])
    }

    /// RFC 6749 section 6, in cookies: what is not replaced is still good.
    @Test func aRefreshCookieThatIsNotReplacedIsKept() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        desk.answers(200, "{}", setting: [CookieDesk.fields(2)[0]])
        time.advance(by: .seconds(3600))
        _ = try await session.accessToken()
        time.advance(by: .seconds(3600))
        _ = try? await session.accessToken()
        #expect(desk.seen.map { $0.cookie?.contains("refresh=r1") } == [true, true])
    }

    @Test func theCookiesAreReplacedWhenTheyAreDue() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3590))
        let (response, _) = try await session.send(request("/resource"), through: desk)
        #expect(response.status == .ok)
        #expect(desk.seen.map(\.path) == ["/session/refresh", "/resource"])
        #expect(desk.seen[0].cookie == "refresh=r1; access=a1")
        #expect(desk.seen[0].origin == "https://id.example")
        #expect(desk.seen[1].cookie == "access=a2")
    }

    @Test func whatIsStoredIsEveryAttribute() async throws {
        let desk = CookieDesk(time)
        _ = try await signedIn(desk)
        let cookies = try #require(try await store.record()?.credential?.cookies)
        let refresh = try #require(cookies.first { $0.name == "refresh" })
        #expect(refresh.isHTTPOnly && refresh.path == "/session" && refresh.sameSite == .strict && refresh.isHostOnly)
        #expect(refresh.expires == time.now() + .seconds(86_400))
        #expect(!String(reflecting: cookies).contains("r1"))
    }

    @Test func signingOutEndsItAtTheServerToo() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        try await session.signOut()
        #expect(desk.seen.map(\.method) == ["DELETE"])
        #expect(desk.seen[0].cookie == "refresh=r1; access=a1")
        #expect(try await store.record()?.gone.map(\.name).sorted() == ["access", "refresh"])
    }

    @Test(arguments: [
        (200, "<html>sign in to the network</html>", [String]()), (200, "{}", ["other=1"]), (204, "", []),
        (200, "{}", ["access=; Max-Age=0"]), (302, "", ["access=a9"]), (401, "who are you", []),
        (400, #"{"error":"invalid_grant""#, []), (503, #"{"error":"invalid_grant"}"#, []),
    ])
    func nothingButARefusalEndsIt(status: Int, body: String, cookies: [String]) async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        desk.answers(status, body, setting: cookies)
        time.advance(by: .seconds(3600))
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(try await store.record()?.credential?.generation == 1)
    }

    /// Whether the refresh cookie is over says the server: the clock of the device may be wrong.
    @Test func aRefreshCookieThatIsOverHereIsPresentedAllTheSame() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        time.advance(by: .seconds(90_000))
        _ = try await session.accessToken()
        #expect(desk.seen.first?.cookie?.contains("refresh=r1") == true)
        #expect(try await store.record()?.credential?.generation == 2)
    }

    /// R24: a server whose clock is far behind says when its cookies end, by that clock.
    @Test func theEndsOfCookiesAreThoseOfTheServersClock() async throws {
        let desk = CookieDesk(time)
        let server = try server(desk)
        var response = HTTPResponse(status: .ok)
        let serverNow = time.now() - .seconds(7200)
        response.headerFields[.date] = serverNow.httpDate
        response.headerFields[values: .setCookie] = [
            "access=a1; Path=/; Expires=\((serverNow + .seconds(3600)).httpDate)",
            "refresh=r1; Path=/session; Expires=\((serverNow + .seconds(86_400)).httpDate)",
        ]
        let context = CookieContext(url: try #require(CookieURL("https://id.example/session")))
        guard case .granted(let grant) = server.read(response, [], from: context) else {
            return #expect(Bool(false), "the answer was thrown away")
        }
        #expect(grant.expiresIn == .seconds(3600))
        let session = SessionManager(server: server, store: store, clock: time, alarm: time)
        try await session.signIn(grant)
        _ = try await session.send(request("/resource"), through: desk)
        #expect(desk.seen.map(\.cookie) == ["access=a1"])
    }

    @Test func aRefusalEndsIt() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        desk.answers(400, #"{"error":"invalid_grant"}"#)
        time.advance(by: .seconds(3600))
        await #expect(throws: SessionError.signedOut(SignOut(.refused(code: "invalid_grant"), at: time.now()))) {
            try await session.accessToken()
        }
    }

    // MARK: Pages

    @Test func S16_aPageGetsTheAccessCookieAndNeverTheOther() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        let pages = SessionPages(session, leavingOut: ["refresh"])
        let first = try await pages.pageCookies()
        #expect(first.isSignedIn && first.cookies.map(\.pair) == ["access=a1"])
        #expect(first.gone.map(\.name) == ["refresh"])
        let second = try await pages.pageCookies(replacing: first.generation)
        #expect(second.cookies.map(\.pair) == ["access=a2"] && second.generation > first.generation)
        // R5: another page that was refused with the first one gets what is there.
        #expect(try await pages.pageCookies(replacing: first.generation) == second)
        #expect(desk.seen.count == 1)
    }

    @Test func thePageOfOneUserDoesNotGoOnInTheNameOfTheNext() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        let pages = SessionPages(session, leavingOut: ["refresh"])
        let former = try await pages.pageCookies()
        try await session.signOut()
        let nobody = try #require(await pages.pageCookieUpdates.first { _ in true })
        try await session.signIn(try grant(try server(desk)))
        await #expect(throws: PageSessionError.signedOut) {
            try await pages.pageCookies(replacing: former.generation)
        }
        // That of nobody may, and is told whose cookies they are.
        let next = try await pages.pageCookies(replacing: nobody.generation)
        #expect(next.isSignedIn && next.login != former.login && desk.seen.map(\.method) == ["DELETE"])
    }

    @Test func aPageOfNobodyHasToLoseWhatWasThere() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        let pages = SessionPages(session, leavingOut: ["refresh"])
        let before = try await pages.pageCookies()
        var updates = pages.pageCookieUpdates.makeAsyncIterator()
        #expect(await updates.next() == before)
        try await session.signOut()
        let after = try #require(await updates.next())
        #expect(!after.isSignedIn && after.cookies.isEmpty && after.generation > before.generation)
        #expect(Set(after.gone.map(\.name)) == ["access", "refresh"])
        await #expect(throws: PageSessionError.signedOut) { try await pages.pageCookies() }
    }

    @Test func aSessionThatCannotBeRefreshedNowIsNotSignedOut() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        desk.answers(503, "")
        time.advance(by: .seconds(3600))
        await #expect(throws: PageSessionError.unavailable(reason: "the server answers with 503; try again")) {
            try await SessionPages(session, leavingOut: ["refresh"]).pageCookies()
        }
    }

    /// What was sent comes back in no error.
    @Test func aTokenThatAServerRepeatsGoesNoFurther() async throws {
        let desk = CookieDesk(time)
        let server = try server(desk)
        let session = SessionManager(server: server, store: store, clock: time, alarm: time)
        let token = "refresh-0123456789abcdef"
        try await session.signIn(
            try grant(server, ["access=a1; Path=/; Max-Age=3600", "refresh=\(token); Path=/session; Max-Age=86400"]))
        desk.answers(400, #"{"error":"\#(token)","error_description":"\#(token) is unknown"}"#)
        time.advance(by: .seconds(3600))
        do throws(SessionError) {
            _ = try await session.accessToken()
            Issue.record("it was refused")
        } catch {
            #expect(!"\(error)".contains(token))
        }
        #expect(!"\(try await store.record()?.rotation?.failure as Any)".contains(token))
    }

    /// C3: what is not known yet is not told.
    @Test func aPageIsToldNothingBeforeTheSessionIsKnown() async throws {
        let desk = CookieDesk(time)
        _ = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let later = SessionManager(server: try server(desk), store: store, clock: time, alarm: time)
        store.fail(with: .locked(reason: "not unlocked yet"))
        var updates = SessionPages(later, leavingOut: ["refresh"]).pageCookieUpdates.makeAsyncIterator()
        for _ in 0..<200 { await Task.yield() }
        store.fail(with: nil)
        _ = try await later.accessToken()
        #expect(await updates.next()?.cookies.map(\.pair) == ["access=a2"])
    }

    /// C6: what changes nothing for a page is not told.
    @Test func aPageIsToldEachStateOnce() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        var updates = SessionPages(session, leavingOut: ["refresh"]).pageCookieUpdates.makeAsyncIterator()
        #expect(await updates.next()?.isSignedIn == true)
        desk.answers(503, "")
        time.advance(by: .seconds(3600))
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        guard case .offline = session.state else { return #expect(Bool(false), "it is offline") }
        for _ in 0..<200 { await Task.yield() }
        try await session.signOut()
        #expect(await updates.next()?.isSignedIn == false)
    }

    /// C4: a deletion travels with the state after it, and takes nothing away that is there again.
    @Test func aPageIsToldWhatIsGoneAndNotWhatIsThere() async throws {
        let desk = CookieDesk(time)
        let server = try server(desk)
        let session = SessionManager(server: server, store: store, clock: time, alarm: time)
        try await session.signIn(try grant(server, CookieDesk.fields(1) + ["legacy=1; Path=/", "kept=1; Path=/"]))
        var record = try #require(try await store.record())
        record.content = .signedIn(
            Credential(
                try grant(server), replacing: record.credential, ahead: RefreshAhead(), chance: 0))
        record.gone = try #require(try await store.record()).gone(with: try grant(server).cookies)
        let version = try #require(try await store.read()).version
        _ = try await store.write(record.encoded, over: version)
        let now = time.now()
        let present = try grant(server).cookies
        let pages = SessionPages(session, leavingOut: ["refresh"]) { _ in
            present + [Cookie(name: "kept", value: "2", domain: "id.example", at: now)]
        }
        let cookies = try await pages.pageCookies()
        #expect(Set(cookies.gone.map(\.name)) == ["legacy", "refresh"])
        #expect(Set(cookies.cookies.map(\.name)) == ["access", "kept"])
    }

    /// The number that a page knows grows with sign-ins too, however often one login was refreshed.
    @Test func moreRefreshesThanThereIsRoomForAreNoOtherLogin() async throws {
        let desk = CookieDesk(time)
        let session = try await signedIn(desk)
        let pages = SessionPages(session, leavingOut: ["refresh"])
        let first = try await pages.pageCookies().generation
        var record = try #require(try await store.record())
        var credential = try #require(record.credential)
        credential.generation = 1 << 20
        record.content = .signedIn(credential)
        let version = try #require(try await store.read()).version
        _ = try await store.write(record.encoded, over: version)
        let last = try await pages.pageCookies().generation
        #expect(last > first && last >> 20 == first >> 20)
    }
}
