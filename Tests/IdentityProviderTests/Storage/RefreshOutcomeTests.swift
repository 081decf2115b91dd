import IdentityProvider
import OAuth
import Primitives
import Testing

/// What a refresh changes is kept together, in every engine: a token whose refresh failed is as good as before.
@Suite struct RefreshOutcomeTests {
    private static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)
    private static let loginID = LoginID("login")

    private static func token(_ index: Int) -> (record: AccessTokenRecord, digest: TokenDigest) {
        let facts = AccessTokenFacts(
            identifier: "token \(index)", clientID: "app", subject: "alice", familyID: nil, scope: .empty,
            audience: [], issuedAt: start, expires: start + .seconds(60), confirmation: nil, claims: [:])
        return (AccessTokenRecord(facts), TokenDigest(of: "entry \(index)"))
    }

    private func prepare(_ store: any ProviderStore) async throws -> FamilyID {
        let terms = FamilyTerms(
            id: FamilyID(from: SeededRandom(seed: 1)), clientID: "app", userID: "alice", scope: .empty,
            loginID: Self.loginID, began: Self.start, expires: nil)
        try await store.keep(
            Login(
                id: Self.loginID, userID: "alice", authentication: Authentication(at: Self.start, methods: ["pwd"]),
                expires: Self.start + .seconds(60)))
        try await store.keep(Family(terms))
        return terms.id
    }

    private func refresh(_ id: FamilyID, keeping index: Int, in store: any ProviderStore) async throws -> Bool? {
        try await store.refresh(id) { family, _ in
            family.end(.revoked, at: Self.start)
            var outcome = RefreshOutcome(true)
            outcome.accessToken = Self.token(index)
            outcome.login = (Self.loginID, { $0.issuers["app"] = "https://idp.example" })
            return outcome
        }
    }

    @Test(arguments: StoreEngine.allCases)
    func keepsTheFamilyTheTokenAndTheLogin(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let id = try await prepare(test.store)
        #expect(try await refresh(id, keeping: 1, in: test.store) == true)
        #expect(try await test.store.family(id)?.ended?.reason == .revoked)
        #expect(try await test.store.accessToken(named: Self.token(1).digest, at: Self.start) != nil)
        #expect(try await test.store.login(Self.loginID)?.issuers["app"] == "https://idp.example")
    }

    @Test(arguments: StoreEngine.allCases)
    func keepsNothingWhereThereIsNoFamily(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        #expect(try await refresh(FamilyID(from: SeededRandom(seed: 2)), keeping: 1, in: test.store) == nil)
        #expect(try await test.store.accessToken(named: Self.token(1).digest, at: Self.start) == nil)
    }

    /// There is no room for the access token: then neither the family nor the login has changed.
    @Test(arguments: StoreEngine.allCases)
    func keepsNothingWhereThereIsNoRoomForAll(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: 64)
        defer { test.end() }
        let id = try await prepare(test.store)
        for index in 0..<3000 {
            let (record, digest) = Self.token(index)
            _ = try? await test.store.keep(record, named: digest)
        }
        await #expect(throws: StoreError.full(limit: 64)) {
            _ = try await refresh(id, keeping: 5000, in: test.store)
        }
        let family = try #require(try await test.store.family(id))
        #expect(family.ended == nil)
        let login = try #require(try await test.store.login(Self.loginID))
        #expect(login.issuers["app"] == nil)
        #expect(try await test.store.accessToken(named: Self.token(5000).digest, at: Self.start) == nil)
    }
}
