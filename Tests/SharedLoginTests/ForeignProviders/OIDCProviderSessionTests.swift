import OAuth
import Primitives
import SessionClient
import TestSupport
import Testing

/// The session client at django-oidc-provider, which says less of itself and does less: `bearer` in small letters, no `scope`, no
/// methods of PKCE, no revocation, and a spent token is simply gone.
@Suite(
    .enabled(if: OtherImplementations.isInstalled || OtherImplementations.isRequired, OtherImplementations.notInstalled)
) struct OIDCProviderSessionTests {
    private static let setup = ForeignProvider.Setup(make: .oidcProvider)

    @Test func signsInByCodeAndRefreshesOnceForEverybody() async throws {
        let world = try await ForeignWorld(Self.setup)
        let login = try await world.loginWithFixedRedirect()
        #expect(login.identity?.subject == "1")
        #expect(login.grant.tokenType == "bearer" && login.grant.scope == nil)
        let store = MemorySessionStore()
        let sessions = (0..<4).map { _ in world.manager(store) }
        try await sessions[0].signIn(login)
        for round in 1...3 {
            world.expire()
            let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                for session in sessions { group.addTask { try await world.use(session) } }
                return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(answers == [200: 4])
            #expect(try await world.provider.state().refreshes.count == round)
        }
        #expect(try await world.provider.state().refreshTokens["live"] == 1)
    }

    @Test func aLostAnswerEndsTheSession() async throws {
        let world = try await ForeignWorld(Self.setup)
        let session = world.manager(MemorySessionStore())
        try await session.signIn(try await world.loginWithFixedRedirect())
        world.expire()
        try await world.provider.loseAnswers(1)
        await #expect(throws: SessionError.self) { try await world.use(session) }
        #expect(await world.reason(session) == nil)
        world.clock.advance(by: .seconds(1))
        await #expect(throws: SessionError.self) { try await world.use(session) }
        #expect(await world.reason(session) == .refused(code: "invalid_grant"))
    }

    /// The first to refresh goes on: nothing is revoked, and nothing is noticed.
    @Test func twoCopiesOfOneLoginSignOneOfThemOut() async throws {
        let world = try await ForeignWorld(Self.setup)
        let (store, other) = (MemorySessionStore(), MemorySessionStore())
        try await world.manager(store).signIn(try await world.loginWithFixedRedirect())
        _ = try await other.write(try #require(try await store.read()).payload, over: nil)
        let (one, second) = (world.manager(store), world.manager(other))
        world.expire()
        #expect(try await world.use(one) == 200)
        await #expect(throws: SessionError.self) { try await world.use(second) }
        #expect(await world.reason(second) == .refused(code: "invalid_grant"))
        world.expire()
        #expect(try await world.use(one) == 200)
    }

    /// No client can end what a server does not take back; here it is over all the same, for everybody who shares the store.
    @Test func aSignOutIsKeptWhereNothingCanBeGivenBack() async throws {
        let world = try await ForeignWorld(Self.setup)
        let store = MemorySessionStore()
        let (session, sibling) = (world.manager(store), world.manager(store))
        let login = try await world.loginWithFixedRedirect()
        try await session.signIn(login)
        #expect(try await world.use(sibling) == 200)
        try await session.signOut()
        await #expect(throws: SessionError.self) { try await world.use(sibling) }
        #expect(await world.reason(sibling) == .user)
        #expect(await world.tokens.revoke(login.grant.accessToken, as: .accessToken) == .unsupported)
        #expect(try await world.use(login.grant.accessToken) == 200)
    }
}
