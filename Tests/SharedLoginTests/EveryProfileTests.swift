import HTTPMessages
import IdentityProviderTesting
import Networking
import OAuth
import Primitives
import SessionClient
import Testing

/// Several managers that share a store, against the real server under the rules of each provider (S10, S24).
@Suite struct EveryProfileTests {
    static let profiles = [
        "strict", "reuse", "okta", "auth0", "supabase", "keycloak", "hydra", "dex", "duende", "cognito", "wso2",
        "oidc-provider", "django-oauth-toolkit",
    ]
    /// Where a token that was replaced a moment ago is taken once more.
    static let forgiving = [
        "okta", "supabase", "cognito", "wso2", "okta,replay=same", "dex,window=30s", "keycloak,count=1",
        "django-oauth-toolkit,window=2m",
    ]

    /// The clocks of both sides, which a test moves together.
    private struct World: Sendable {
        let group: EventLoopGroup
        let outbound: OutboundClient
        let clock = AdjustableClock(following: SystemWallClock())
        let store = MemorySessionStore()
        let idp: TestIdentityProvider
        let server: ServerDescription

        init(_ idp: TestIdentityProvider) async throws {
            self.idp = idp
            group = try EventLoopGroup(count: 1)
            outbound = try OutboundClient(group: group)
            server = try await Discovery(outbound: outbound, clock: clock).describe(try Issuer(idp.issuer))
        }

        func manager(alarm: (any Alarm)? = nil) -> SessionManager {
            let tokens = TokenClient(
                server: server, client: ClientIdentity("native"), outbound: outbound, clock: clock)
            var configuration = SessionTiming()
            configuration.rules = RefreshRules(look: .milliseconds(5), firstBackoff: .milliseconds(10))
            return SessionManager(
                server: TokenSessionServer(tokens), store: store, timing: configuration, clock: clock,
                alarm: alarm ?? group)
        }

        func signIn() async throws {
            let tokens = try await idp.tokens(for: "alice", client: "native", scope: "openid offline_access")
            try await manager().signIn(
                TokenGrant(
                    accessToken: Secret(utf8: tokens.accessToken), tokenType: tokens.tokenType,
                    expiresIn: tokens.expiresIn, refreshToken: tokens.refreshToken.map(Secret.init(utf8:)),
                    receivedAt: clock.now()))
        }

        func advance(by duration: Duration) {
            idp.clock.advance(by: duration)
            clock.advance(by: duration)
        }

        /// What a request with the session is answered with.
        func use(_ session: SessionManager) async throws -> Int {
            let request = try #require(server.userinfoEndpoint).request(.get)
            return try await session.send(request, through: outbound).0.status.code
        }

        var refreshes: [RecordedRequest] { idp.requests.filter { $0.grantType == "refresh_token" } }
    }

    private static func setup(_ profile: String) -> TestSetup {
        TestSetup(accessTokenLifetime: .seconds(60), rotation: profile)
    }

    @Test(arguments: profiles)
    func manyWhoShareALoginRefreshOnce(profile: String) async throws {
        try await withIdentityProvider(Self.setup(profile)) { idp in
            let world = try await World(idp)
            try await world.signIn()
            let sessions = (0..<4).map { _ in world.manager() }
            for round in 1...5 {
                world.advance(by: .seconds(61))
                let answers = try await withThrowingTaskGroup(of: Int.self) { group in
                    for session in sessions { for _ in 0..<3 { group.addTask { try await world.use(session) } } }
                    return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
                }
                #expect(answers == [200: 12])
                #expect(world.refreshes.count == round)
            }
            #expect(world.refreshes.allSatisfy { $0.status == 200 })
            world.group.shutdown()
        }
    }

    /// R13: the server has rotated, and nobody heard of it.
    @Test(arguments: forgiving)
    func aLostAnswerCostsNothingWhereTheServerForgives(profile: String) async throws {
        try await withIdentityProvider(Self.setup(profile)) { idp in
            let world = try await World(idp)
            try await world.signIn()
            let (session, sibling) = (world.manager(), world.manager())
            try idp.faults.add(.drop, for: TestFilter(path: "/token"))
            world.advance(by: .seconds(61))
            await #expect(throws: SessionError.self) { try await world.use(session) }
            // Somebody else goes on where it was left.
            world.advance(by: .seconds(1))
            #expect(try await world.use(sibling) == 200)
            #expect(try await world.use(session) == 200)
            #expect(world.refreshes.count == 2)
            world.advance(by: .seconds(61))
            #expect(try await world.use(session) == 200)
            world.group.shutdown()
        }
    }

    /// R13: whoever refreshes is killed when the server has rotated. The next one takes over when the lease is over, which with
    /// nothing said is before the shortest windows that are usual; a window that is shorter has closed by then.
    @Test(arguments: [("okta,window=10s", true), ("okta,window=7s", false)])
    func aKilledHolderIsWaitedForLessThanTheUsualWindow(profile: String, isOpen: Bool) async throws {
        try await withIdentityProvider(Self.setup(profile)) { idp in
            let world = try await World(idp)
            try await world.signIn()
            world.advance(by: .seconds(61))
            // Its window goes by what the test says, however long that takes.
            idp.clock.freeze()
            let silence = try idp.faults.add(
                .delay(.seconds(60)), at: .responseSending, for: TestFilter(grantType: "refresh_token"))
            // No alarm rings for it: it gives up nothing, as if it were not there any more.
            let killed = Task { try await world.use(world.manager(alarm: NoAlarm())) }
            while idp.faults.firedCount(of: silence) == 0 { try await Task.sleep(for: .milliseconds(5)) }
            world.advance(by: RefreshRules().lease)
            let session = world.manager()
            if isOpen {
                #expect(try await world.use(session) == 200)
            } else {
                await #expect(throws: SessionError.self) { try await world.use(session) }
            }
            #expect(world.refreshes.map(\.status) == [isOpen ? 200 : 400])
            // Its request is on its way until the provider ends, and the loops until it has nobody who waits.
            killed.cancel()
        }
    }

    /// What the library does that is not shared, for comparison: two copies of one login, each refreshed by itself.
    @Test(arguments: ["strict", "auth0", "keycloak", "hydra"])
    func twoCopiesOfOneLoginSignTheUserOut(profile: String) async throws {
        try await withIdentityProvider(Self.setup(profile)) { idp in
            let (one, other) = (try await World(idp), try await World(idp))
            try await one.signIn()
            let copy = try #require(try await one.store.read())
            _ = try await other.store.write(copy.payload, over: nil)
            for world in [one, other] { world.clock.advance(by: .seconds(61)) }
            idp.clock.advance(by: .seconds(61))
            #expect(try await one.use(one.manager()) == 200)
            await #expect(throws: SessionError.self) { try await other.use(other.manager()) }
            for world in [one, other] { world.clock.advance(by: .seconds(61)) }
            idp.clock.advance(by: .seconds(61))
            await #expect(throws: SessionError.self) { try await one.use(one.manager()) }
            for world in [one, other] { world.group.shutdown() }
        }
    }

    @Test func signingOutEndsTheSessionAtTheServer() async throws {
        try await withIdentityProvider(Self.setup("okta")) { idp in
            let world = try await World(idp)
            try await world.signIn()
            let (session, sibling) = (world.manager(), world.manager())
            #expect(try await world.use(session) == 200)
            try await session.signOut()
            await #expect(throws: SessionError.self) { try await world.use(sibling) }
            #expect(try await idp.sessions().allSatisfy(\.hasEnded))
            world.group.shutdown()
        }
    }

    /// A client that learns its server's time from `Date` learns the one that the server goes by.
    @Test func theDateOfAnAnswerFollowsTheClockOfItsProvider() async throws {
        try await withIdentityProvider { idp in
            let world = try await World(idp)
            let request = try #require(world.server.userinfoEndpoint).request(.get)
            let before = try await world.outbound.send(request, body: []).0.headerFields[.date]
            idp.clock.freeze()
            idp.clock.set(secondsSince1970: 784_111_777)
            let after = try await world.outbound.send(request, body: []).0.headerFields[.date]
            #expect(after == "Sun, 06 Nov 1994 08:49:37 GMT" && before != after)
            world.group.shutdown()
        }
    }
}
