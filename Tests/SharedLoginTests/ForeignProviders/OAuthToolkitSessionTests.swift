import OAuth
import Primitives
import SessionClient
import TestSupport
import Testing

/// The session client at a provider that is not ours: django-oauth-toolkit, with its own pages, tables and habits.
@Suite(
    .enabled(if: OtherImplementations.isInstalled || OtherImplementations.isRequired, OtherImplementations.notInstalled)
) struct OAuthToolkitSessionTests {
    private typealias Setup = ForeignProvider.Setup

    // MARK: - From the login to the sign-out

    @Test func signsInByCodeAndLooksAtTheIDToken() async throws {
        let world = try await ForeignWorld()
        let login = try await world.login()
        // The user's key in its table.
        #expect(login.identity?.subject == "1")
        #expect(login.grant.expiresIn == .seconds(60) && login.grant.refreshToken != nil)
        #expect(login.grant.serverTime != nil)
        let session = world.manager(MemorySessionStore())
        try await session.signIn(login)
        #expect(try await world.use(session) == 200)
        world.expire()
        #expect(try await world.use(session) == 200)
        let state = try await world.provider.state()
        #expect(state.refreshes.map(\.status) == [200] && state.rotations == 1)
    }

    @Test func whatIsSignedOutIsDeadAtTheServer() async throws {
        let world = try await ForeignWorld()
        let store = MemorySessionStore()
        let (session, sibling) = (world.manager(store), world.manager(store))
        let login = try await world.login()
        try await session.signIn(login)
        world.expire()
        #expect(try await world.use(session) == 200)
        let entry = try #require(try await store.read())
        let credential = try #require(try SessionRecord(encoded: entry.payload).credential)
        #expect(try await world.use(credential.accessToken) == 200)
        try await session.signOut()
        #expect(try await world.use(credential.accessToken) == 401)
        let refreshToken = try #require(credential.refreshToken)
        guard case .refused(let refusal) = await world.tokens.refresh(refreshToken) else {
            Issue.record("the refresh token is alive")
            return
        }
        #expect(refusal.code == "invalid_grant")
        let state = try await world.provider.state()
        #expect(state.refreshTokens["live"] == nil && state.accessTokens == 0)
        await #expect(throws: SessionError.self) { try await world.use(sibling) }
        #expect(await world.reason(sibling) == .user)
    }

    // MARK: - Rotation

    /// The strictest that it can be: each token once, and a second time ends the family.
    @Test func manyWhoShareALoginRefreshOnceWhereNothingIsForgiven() async throws {
        let world = try await ForeignWorld(Setup(isProtected: true))
        let store = MemorySessionStore()
        let sessions = (0..<4).map { _ in world.manager(store) }
        try await sessions[0].signIn(try await world.login())
        for round in 1...5 {
            world.expire()
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for session in sessions { for _ in 0..<2 { group.addTask { try await world.use(session) } } }
                return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(answers == [200: 8])
            #expect(try await world.provider.state().refreshes.count == round)
        }
        let state = try await world.provider.state()
        #expect(state.refreshes.allSatisfy { $0.status == 200 })
        #expect(state.refreshTokens == ["live": 1, "revoked": 5] && state.accessTokens == 1)
    }

    /// R13: the server has rotated, and nobody heard of it; in the grace period it says the same once more.
    @Test func aLostAnswerCostsNothingInTheGracePeriod() async throws {
        let world = try await ForeignWorld(Setup(grace: 60, isProtected: true))
        let store = MemorySessionStore()
        let (session, sibling) = (world.manager(store), world.manager(store))
        try await session.signIn(try await world.login())
        world.expire()
        try await world.provider.loseAnswers(1)
        await #expect(throws: SessionError.self) { try await world.use(session) }
        world.clock.advance(by: .seconds(1))
        #expect(try await world.use(sibling) == 200)
        #expect(try await world.use(session) == 200)
        let state = try await world.provider.state()
        #expect(state.refreshes.map(\.isLost) == [true, false] && state.refreshes.allSatisfy { $0.status == 200 })
        // Two answers, one successor.
        #expect(state.rotations == 1)
    }

    /// What it says once more is the same access token, and as if it were new: it may be over, and one refresh more mends that.
    @Test func anAnswerThatIsGivenAgainMayBringATokenThatIsOver() async throws {
        let world = try await ForeignWorld(Setup(lifetime: 2, grace: 60, isProtected: true))
        let session = world.manager(MemorySessionStore())
        try await session.signIn(try await world.login())
        world.expire()
        try await world.provider.loseAnswers(1)
        await #expect(throws: SessionError.self) { try await world.use(session) }
        // Its time cannot be turned.
        try await Task.sleep(for: .seconds(2.1))
        let again = try await session.accessToken()
        #expect(try await world.use(again.secret) == 401)
        #expect(try await world.use(session) == 200)
        let state = try await world.provider.state()
        #expect(
            state.refreshes.map(\.isLost) == [true, false, false] && state.refreshes.allSatisfy { $0.status == 200 })
        #expect(state.rotations == 2)
    }

    /// Without a grace period no client can help it. It must say so, and say nothing else before.
    @Test(arguments: [false, true])
    func aLostAnswerEndsTheSessionWhereThereIsNoGracePeriod(isProtected: Bool) async throws {
        let world = try await ForeignWorld(Setup(isProtected: isProtected))
        let store = MemorySessionStore()
        let session = world.manager(store)
        try await session.signIn(try await world.login())
        world.expire()
        try await world.provider.loseAnswers(1)
        // The loss itself is an absence of the server, and signs nobody out.
        do {
            _ = try await world.use(session)
            Issue.record("nothing was lost")
        } catch SessionError.unavailable(let cause, _) {
            #expect(cause == .offline)
        }
        #expect(await world.reason(session) == nil)
        world.clock.advance(by: .seconds(1))
        do {
            _ = try await world.use(session)
            Issue.record("the spent token was taken")
        } catch SessionError.signedOut(let signOut) {
            #expect(signOut.reason == .refused(code: "invalid_grant"))
        }
        #expect(await world.reason(session) == .refused(code: "invalid_grant"))
        // What is stored says the same to everybody else, and nobody asks again.
        let sibling = world.manager(store)
        await #expect(throws: SessionError.self) { try await world.use(sibling) }
        #expect(await world.reason(sibling) == .refused(code: "invalid_grant"))
        let state = try await world.provider.state()
        #expect(state.refreshes.map(\.error) == [nil, "invalid_grant"])
        #expect(state.accessTokens == (isProtected ? 0 : 1))
    }

    /// What the library does that is not shared: two copies of one login, each refreshed by itself. The second is signed out,
    /// and under reuse protection so is the first.
    @Test(arguments: [false, true])
    func twoCopiesOfOneLoginSignTheUserOut(isProtected: Bool) async throws {
        let world = try await ForeignWorld(Setup(isProtected: isProtected))
        let (store, other) = (MemorySessionStore(), MemorySessionStore())
        try await world.manager(store).signIn(try await world.login())
        _ = try await other.write(try #require(try await store.read()).payload, over: nil)
        let (one, second) = (world.manager(store), world.manager(other))
        world.expire()
        #expect(try await world.use(one) == 200)
        await #expect(throws: SessionError.self) { try await world.use(second) }
        #expect(await world.reason(second) == .refused(code: "invalid_grant"))
        if isProtected {
            await #expect(throws: SessionError.self) { try await world.use(one) }
            #expect(await world.reason(one) == .refused(code: "invalid_grant"))
        } else {
            world.expire()
            #expect(try await world.use(one) == 200)
        }
    }

    /// It ends the access token with the refresh token that it came with: what a sibling still has in its hands is refused, and
    /// that is no reason to refresh once more.
    @Test func anAccessTokenThatDiedWithARotationCostsNoRefresh() async throws {
        let world = try await ForeignWorld(Setup(isProtected: true))
        let store = MemorySessionStore()
        let (session, sibling) = (world.manager(store), world.manager(store))
        try await session.signIn(try await world.login())
        let former = try await session.accessToken()
        let next = try await sibling.accessToken(replacing: former)
        #expect(try await world.use(former.secret) == 401)
        #expect(try await session.accessToken(replacing: former) == next)
        #expect(try await world.use(session) == 200)
        #expect(try await world.provider.state().refreshes.count == 1)
    }
}
