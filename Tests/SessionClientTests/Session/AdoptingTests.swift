import Cookies
import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

/// A session from before the app had this library goes on, and goes over nothing.
@Suite struct AdoptingTests {
    private let time = VirtualTime()
    private let store = WatchedStore()
    private let old = Secret(utf8: "r1")

    private func manager(_ desk: TokenDesk) -> SessionManager {
        SessionManager(server: desk, store: store, clock: time, alarm: time)
    }

    private func cookieManager(_ desk: CookieDesk) throws -> SessionManager {
        let cookies = CookieSession(
            refresh: "https://id.example/session/refresh", end: "https://id.example/session", accessCookie: "access",
            refreshCookie: "refresh")
        return try SessionManager(cookies: cookies, store: store, transport: desk, clock: time, alarm: time)
    }

    private func cookie(_ name: String, _ value: String, path: String = "/", expires: Timestamp? = nil) -> Cookie {
        Cookie(
            name: name, value: value, domain: "id.example", path: path, expires: expires, isSecure: true,
            isHTTPOnly: true, at: time.now())
    }

    @Test func theUserIsSignedInAndTheTokenIsSpentOnce() async throws {
        let desk = TokenDesk.rotating(time)
        let (session, sibling) = (manager(desk), manager(desk))
        #expect(try await session.adopt(refreshToken: old))
        #expect(desk.presented.isEmpty)
        guard case .active(let info) = session.state else { return #expect(Bool(false), "nobody is signed in") }
        #expect(info.canRefresh)
        #expect(try await text(of: session.accessToken().secret) == "a2")
        #expect(try await text(of: sibling.accessToken().secret) == "a2")
        #expect(desk.presented == ["r1"])
    }

    @Test func whatIsKnownOfItGoesOn() async throws {
        let session = manager(.rotating(time))
        let scope = try Scope(parsing: "openid offline_access")
        try await session.adopt(refreshToken: old, scope: scope, idToken: Secret(utf8: "id"))
        let credential = try #require(try await store.record()?.credential)
        #expect(credential.scope == scope && credential.idToken == Secret(utf8: "id"))
    }

    @Test func ofTwoWhoAdoptOneDoes() async throws {
        let desk = TokenDesk.rotating(time)
        let managers = (0..<8).map { _ in manager(desk) }
        let taken = try await withThrowingTaskGroup(of: Bool.self) { [old] group in
            for manager in managers { group.addTask { try await manager.adopt(refreshToken: old) } }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(taken == 1)
    }

    @Test func aNewerSessionDoesNotGiveWay() async throws {
        let desk = TokenDesk.rotating(time)
        let session = manager(desk)
        try await session.signIn(TokenDesk.grant(5, at: time.now()))
        #expect(try await !session.adopt(refreshToken: old))
        #expect(try await text(of: session.accessToken().secret) == "a5")
    }

    /// S22.
    @Test func whatWasSignedOutStaysOut() async throws {
        let session = manager(.rotating(time))
        try await session.adopt(refreshToken: old)
        try await session.signOut()
        #expect(try await !session.adopt(refreshToken: old))
        #expect(try await !manager(.rotating(time)).adopt(refreshToken: old))
        #expect(session.state == .signedOut(SignOut(.user, at: time.now())))
    }

    @Test func aSignOutGivesTheAdoptedTokenBack() async throws {
        let desk = TokenDesk.rotating(time)
        let session = manager(desk)
        try await session.adopt(refreshToken: old)
        try await session.signOut()
        #expect(desk.revoked == ["r1"])
    }

    @Test(arguments: [0, -400 * 86_400])
    func aTokenThatIsNotThereIsGivenToNobody(clockMoves seconds: Int64) async throws {
        let desk = TokenDesk { _ in .unavailable(Unavailability(.offline)) }
        let session = manager(desk)
        try await session.adopt(refreshToken: old)
        time.advance(by: .seconds(seconds))
        let asking = Task { try await session.accessToken() }
        await #expect(throws: SessionError.self) { try await time.pass(until: asking) }
        // And nobody is signed out by that.
        #expect(try await store.record()?.credential?.refreshToken == old)
    }

    @Test func aTokenThatIsSpentAlreadyEndsTheSession() async throws {
        let session = manager(TokenDesk { _ in .refused(TokenRefusal(code: "invalid_grant")) })
        try await session.adopt(refreshToken: old)
        await #expect(throws: SessionError.signedOut(SignOut(.refused(code: "invalid_grant"), at: time.now()))) {
            try await session.accessToken()
        }
    }

    @Test(arguments: [SessionStoreError.locked(reason: "x"), .failed(reason: "x"), .corrupt(reason: "x")])
    func aStoreThatDoesNotTakeItSaysSo(_ error: SessionStoreError) async throws {
        let session = manager(.rotating(time))
        store.fail(with: error)
        await #expect(throws: LoginError.notKept(.store(error))) { try await session.adopt(refreshToken: old) }
        store.fail(with: nil)
        #expect(try await store.record() == nil)
        #expect(try await session.adopt(refreshToken: old))
    }

    @Test func comesBackFromADisk() async throws {
        let directory = try StoreDirectory()
        let desk = TokenDesk.rotating(time)
        let session = SessionManager(server: desk, store: directory.store(), clock: time, alarm: time)
        #expect(try await session.adopt(refreshToken: old))
        let next = SessionManager(server: desk, store: directory.store(), clock: time, alarm: time)
        #expect(try await text(of: next.accessToken().secret) == "a2")
    }

    // MARK: Cookies

    @Test func cookiesAreTakenOver() async throws {
        let desk = CookieDesk(time)
        let session = try cookieManager(desk)
        let end = time.now() + .seconds(3600)
        #expect(
            try await session.adopt(cookies: [
                cookie("access", "a1", expires: end), cookie("refresh", "r1", path: "/session"),
            ]))
        #expect(try await text(of: session.accessToken().secret) == "a1")
        time.advance(by: .seconds(3600))
        #expect(try await text(of: session.accessToken().secret) == "a2")
        #expect(desk.seen.map(\.path) == ["/session/refresh"])
    }

    /// A store of the system's has dropped the one that was over.
    @Test func theOneThatRefreshesIsEnough() async throws {
        let desk = CookieDesk(time)
        let session = try cookieManager(desk)
        #expect(try await session.adopt(cookies: [cookie("refresh", "r1", path: "/session")]))
        #expect(try await text(of: session.accessToken().secret) == "a2")
    }

    @Test func withoutTheOneThatRefreshesThereIsNothingToAdopt() async throws {
        let session = try cookieManager(CookieDesk(time))
        await #expect(throws: LoginError.badRequest("none of the cookies is refresh")) {
            try await session.adopt(cookies: [cookie("access", "a1"), cookie("Refresh", "r1")])
        }
        #expect(try await store.record() == nil)
    }

    @Test func eachKindOfSessionAdoptsItsOwn() async throws {
        await #expect(throws: LoginError.notPossibleHere("this session is kept in cookies: adopt those")) {
            try await cookieManager(CookieDesk(time)).adopt(refreshToken: old)
        }
        await #expect(throws: LoginError.self) {
            try await manager(.rotating(time)).adopt(cookies: [cookie("refresh", "r1")])
        }
        #expect(try await store.record() == nil)
    }
}
