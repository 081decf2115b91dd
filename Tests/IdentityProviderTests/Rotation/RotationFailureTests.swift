import IdentityProvider
import OAuth
import Primitives
import Synchronization
import Testing

/// Bugs that real providers had.
@Suite struct RotationFailureTests {
    /// Throws as often as it was told to.
    private final class Failures: Sendable {
        private let left = Mutex(0)

        func expect(_ count: Int) { left.withLock { $0 = count } }

        func pass() throws(StoreError) {
            let fails = left.withLock { left in
                guard left > 0 else { return false }
                left -= 1
                return true
            }
            if fails { throw .unavailable(reason: "test") }
        }
    }

    private let failures = Failures()

    /// With opaque access tokens, so that something has to be kept with the judgement. The store fails before it judges.
    private func provider(_ rotation: String) async throws -> GrantsProvider {
        let policy = try RotationPolicy(parsing: rotation)
        var store = GatedStore()
        store.beforeJudging = { [failures] () throws(StoreError) in try failures.pass() }
        return try await GrantsProvider(store: store) {
            $0.rotation = policy
            $0.accessTokens.format = .opaque
        }
    }

    // MARK: The same moment

    /// The replay in the second, and in the millisecond, of the rotation: nothing may depend on time having passed.
    @Test(arguments: RotationPolicy.profiles)
    func aReplayInTheSameSecondIsSeen(policy: RotationPolicy) async throws {
        var policy = policy
        policy.window = .zero
        policy.ancestors = .parent
        policy.rotation = policy.rotation == .never ? .never : .always
        policy.keepsYoung = false
        let isReplaced = policy.rotation != .never
        let chosen = policy
        for gap in [Duration.zero, .milliseconds(1), .milliseconds(999)] {
            let provider = try await GrantsProvider { $0.rotation = chosen }
            let (_, token) = try await provider.family()
            #expect(await provider.refresh(token).status == 200)
            provider.clock.advance(by: gap)
            #expect((await provider.refresh(token).status == 200) == !isReplaced)
        }
    }

    // MARK: A store that fails

    /// The token was not spent, and the replay was not counted.
    @Test(arguments: ["strict", "okta", "dex", "wso2", "keycloak", "oidc-provider,rotate=always"])
    func aRequestThatFailsSpendsNothing(rotation: String) async throws {
        let provider = try await provider(rotation)
        let (family, token) = try await provider.family()
        for _ in 0..<3 {
            failures.expect(1)
            #expect(GrantsProvider.summary(await provider.refresh(token)) == "503 temporarily_unavailable")
        }
        #expect(try await provider.context.store.family(family.id)?.rotation == family.rotation)
        #expect(await provider.refresh(token).status == 200)
    }

    /// What goes with the answer cannot be kept: nor is the judgement.
    @Test(arguments: ["strict", "okta", "wso2", "keycloak"])
    func anAccessTokenThatCannotBeKeptSpendsNothing(rotation: String) async throws {
        let policy = try RotationPolicy(parsing: rotation)
        var store = GatedStore()
        store.beforeKeepingAccessToken = { [failures] () throws(StoreError) in try failures.pass() }
        let provider = try await GrantsProvider(store: store) {
            $0.rotation = policy
            $0.accessTokens.format = .opaque
        }
        let (family, token) = try await provider.family()
        failures.expect(2)
        for _ in 0..<2 {
            #expect(GrantsProvider.summary(await provider.refresh(token)) == "503 temporarily_unavailable")
            #expect(try await provider.context.store.family(family.id)?.rotation == family.rotation)
            let record = provider.context.requests.records().last?.refresh
            #expect(record?.verdict == .refused && record?.given == nil)
        }
        #expect(await provider.refresh(token).status == 200)
    }

    /// Were it kept after the judgement, a process that dies in between would have spent the token for nothing.
    @Test func anAccessTokenIsKeptOnceAndWithTheJudgement() async throws {
        let store = GatedStore()
        let provider = try await GrantsProvider(store: store) { $0.accessTokens.format = .opaque }
        let (_, token) = try await provider.family()
        let answer = await provider.refresh(token)
        #expect(try await provider.isActive(try answer.text("access_token")))
        #expect(store.accessTokens.withJudgement == 1)
        // The one that was given for it by the look at whether it is active.
        #expect(store.accessTokens.alone == 1)
    }

    /// A disk that is full takes nothing back either: what was told to have failed must not have happened at all.
    @Test func aStoreThatFailsFromTheJudgementOnSpendsNothing() async throws {
        let disk = FillingDisk()
        var store = GatedStore()
        store.beforeJudging = { () throws(StoreError) in try disk.judge() }
        store.beforeKeepingAccessToken = { () throws(StoreError) in try disk.keep() }
        let provider = try await GrantsProvider(store: store) { $0.accessTokens.format = .opaque }
        let (_, token) = try await provider.family()
        disk.fill()
        #expect(await provider.refresh(token).status == 503)
        disk.empty()
        #expect(await provider.refresh(token).status == 200)
    }

    /// Full: there is room for one judgement more, and for nothing else.
    private final class FillingDisk: Sendable {
        /// `nil`: for as many as come.
        private let room = Mutex<Int?>(nil)

        func fill() { room.withLock { $0 = 1 } }
        func empty() { room.withLock { $0 = nil } }

        func judge() throws(StoreError) {
            let isFull = room.withLock { room in
                guard let left = room else { return false }
                room = left - 1
                return left < 1
            }
            if isFull { throw .unavailable(reason: "the disk is full") }
        }

        func keep() throws(StoreError) {
            if room.withLock({ $0 != nil }) { throw .unavailable(reason: "the disk is full") }
        }
    }

    /// Nor does the counter of replays.
    @Test func aReplayThatFailsIsNotCounted() async throws {
        var store = GatedStore()
        store.beforeKeepingAccessToken = { [failures] () throws(StoreError) in try failures.pass() }
        let provider = try await GrantsProvider(store: store) {
            $0.rotation = .wso2
            $0.accessTokens.format = .opaque
        }
        let (_, token) = try await provider.family()
        let first = try await provider.refresh(token).text("refresh_token")
        failures.expect(1)
        #expect(await provider.refresh(token).status == 503)
        // The child that a replay would have replaced is still there.
        var family = try #require(try await provider.context.store.families(where: { _ in true }, limit: 1).first)
        #expect(family.rotation.leaves.map(\.node) == [2])
        #expect(family.rotation.spent.map(\.replays) == [0])
        #expect(await provider.refresh(token).status == 200)
        #expect(await provider.refresh(token).status == 400)
        #expect(await provider.refresh(first).status == 400)
        family = try #require(try await provider.context.store.families(where: { _ in true }, limit: 1).first)
        #expect(family.ended == nil)
    }

    @Test func whoeverHasUsedTheFamilyMeanwhileKeepsWhatHeGot() async throws {
        let meanwhile = Meanwhile()
        var store = GatedStore()
        store.beforeKeepingAccessToken = { () async throws(StoreError) in
            guard let (provider, token) = meanwhile.begin() else { return }
            // The next one comes with the same token, and gets the second successor.
            meanwhile.end(await provider.refresh(token))
            throw .unavailable(reason: "test")
        }
        let provider = try await GrantsProvider(store: store) {
            $0.rotation = .okta
            $0.accessTokens.format = .opaque
        }
        let (_, token) = try await provider.family()
        meanwhile.expect(provider, token)
        #expect(await provider.refresh(token).status == 503)
        let other = try #require(meanwhile.answer)
        #expect(other.status == 200)
        #expect(await provider.refresh(try other.text("refresh_token")).status == 200)
    }

    /// A request in the middle of another.
    private final class Meanwhile: Sendable {
        private let state = Mutex<(awaited: (GrantsProvider, String)?, answer: Answer?)>((nil, nil))

        func expect(_ provider: GrantsProvider, _ token: String) { state.withLock { $0.awaited = (provider, token) } }

        func begin() -> (GrantsProvider, String)? {
            state.withLock { state in
                let awaited = state.awaited
                state.awaited = nil
                return awaited
            }
        }

        func end(_ answer: Answer) { state.withLock { $0.answer = answer } }

        var answer: Answer? { state.withLock { $0.answer } }
    }

    // MARK: Several clients and logins

    private func login(_ provider: GrantsProvider, _ name: String) async throws -> Login {
        try await provider.login(named: name)
    }

    /// Two clients on one single sign-on session: what one of them does ends nothing of the other's.
    @Test(arguments: RotationPolicy.profiles)
    func twoClientsOfOneLoginDoNotEndEachOther(policy: RotationPolicy) async throws {
        let provider = try await GrantsProvider { $0.rotation = policy }
        let login = try await login(provider, "one")
        let own = try await provider.family(client: "app", login: login).refreshToken
        let other = try await provider.family(client: "other", login: login).refreshToken
        let answer = await provider.refresh(other, as: "other:secret")
        _ = await provider.refresh(own, as: "app")
        provider.clock.advance(by: .seconds(120))
        _ = await provider.refresh(own, as: "app")
        #expect(try await provider.isActive(try answer.text("access_token")))
        let next = try answer.text("refresh_token")
        #expect(await provider.refresh(next, as: "other:secret").status == 200)
    }

    /// A second login of the same user with the same client kills nothing of the first, and its end ends nothing of it.
    @Test(arguments: RotationPolicy.profiles)
    func aSecondLoginDoesNotEndTheFirst(policy: RotationPolicy) async throws {
        let provider = try await GrantsProvider { $0.rotation = policy }
        let first = try await provider.family(client: "app", login: login(provider, "one")).refreshToken
        let second = try await provider.family(client: "app", login: login(provider, "two")).refreshToken
        _ = await provider.refresh(second, as: "app")
        provider.clock.advance(by: .seconds(120))
        _ = await provider.refresh(second, as: "app")
        #expect(await provider.refresh(first, as: "app").status == 200)
    }

    /// The whole grant: every family of the same login and client, and no other.
    @Test func theGrantEndsWithAllFamiliesOfTheLoginAndTheClient() async throws {
        let provider = try await GrantsProvider { $0.rotation = .oidcProvider }
        let one = try await login(provider, "one")
        let two = try await login(provider, "two")
        let reused = try await provider.family(client: "app", login: one)
        let sibling = try await provider.family(client: "app", login: one)
        let otherClient = try await provider.family(client: "other", login: one)
        let otherLogin = try await provider.family(client: "app", login: two)
        let alone = try await provider.family(client: "app")
        let access = try await provider.refresh(sibling.refreshToken, as: "app").text("access_token")
        _ = await provider.refresh(reused.refreshToken, as: "app")
        #expect(await provider.refresh(reused.refreshToken, as: "app").status == 400)
        let store = provider.context.store
        for family in [reused, sibling] {
            let kept = try #require(try await store.family(family.family.id))
            #expect(kept.ended?.reason == .refreshTokenReused)
            #expect(kept.ended?.reach == .everything)
        }
        #expect(try await !provider.isActive(access))
        for family in [otherClient, otherLogin, alone] {
            #expect(try await store.family(family.family.id)?.ended == nil)
        }
    }

    /// The store fails between the end of the family and the end of the grant: the next one who comes has it ended.
    @Test func theGrantEndsEvenIfTheStoreFailsInBetween() async throws {
        var store = GatedStore()
        store.beforeEndingGrant = { [failures] () throws(StoreError) in try failures.pass() }
        let provider = try await GrantsProvider(store: store) { $0.rotation = .oidcProvider }
        let login = try await login(provider, "one")
        let reused = try await provider.family(client: "app", login: login)
        let sibling = try await provider.family(client: "app", login: login)
        let next = try await provider.refresh(reused.refreshToken, as: "app").text("refresh_token")
        failures.expect(1)
        #expect(await provider.refresh(reused.refreshToken, as: "app").status == 503)
        #expect(try await provider.context.store.family(reused.family.id)?.ended?.reach == .grant)
        #expect(try await provider.context.store.family(sibling.family.id)?.ended == nil)
        #expect(await provider.refresh(next, as: "app").status == 400)
        #expect(try await provider.context.store.family(sibling.family.id)?.ended?.reach == .everything)
        #expect(try await provider.context.store.family(reused.family.id)?.ended?.reach == .everything)
    }

    /// Shown in an exchange, a spent token tells as much as when it is redeemed.
    @Test func theGrantEndsWhenASpentTokenIsShown() async throws {
        let provider = try await GrantsProvider { $0.rotation = .oidcProvider }
        let login = try await login(provider, "one")
        let reused = try await provider.family(client: "app", login: login)
        let sibling = try await provider.family(client: "app", login: login)
        _ = await provider.refresh(reused.refreshToken, as: "app")
        let answer = await provider.token(
            [
                ("grant_type", GrantsProvider.exchangeGrant), ("subject_token", reused.refreshToken),
                ("subject_token_type", "urn:ietf:params:oauth:token-type:refresh_token"),
            ], as: "app")
        #expect(answer.status == 400)
        #expect(try await provider.context.store.family(sibling.family.id)?.ended != nil)
    }
}
