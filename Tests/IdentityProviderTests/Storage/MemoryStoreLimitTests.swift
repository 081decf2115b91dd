import IdentityProvider
import OAuth
import Primitives
import Testing

/// There is an end to each kind of entry.
@Suite struct MemoryStoreLimitTests {
    private static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)
    private static let end = start + .seconds(60)
    /// One in each part of a table.
    private static let limit = 64
    private static let attempts = 3000

    private let store: MemoryStore

    init() {
        var limits = MemoryStore.Limits()
        limits.requests = Self.limit
        limits.families = Self.limit
        limits.logins = Self.limit
        limits.accessTokens = Self.limit
        limits.revokedAccessTokens = Self.limit
        limits.consents = Self.limit
        store = MemoryStore(limits: limits)
    }

    /// How many of many entries are taken; each of the others is refused for want of room.
    private func takenCount(_ keep: (_ index: Int) async throws -> Void) async throws -> Int {
        var count = 0
        for index in 0..<Self.attempts {
            do {
                try await keep(index)
                count += 1
            } catch let error as StoreError {
                #expect(error == .full(limit: Self.limit))
            }
        }
        return count
    }

    private static func digest(_ index: Int) -> TokenDigest { TokenDigest(of: "entry \(index)") }

    private static func terms(_ index: Int) -> FamilyTerms {
        FamilyTerms(
            id: FamilyID(from: SeededRandom(seed: UInt64(index) + 1)), clientID: "app", userID: "alice", scope: .empty,
            began: start, expires: nil)
    }

    @Test func keepsSoManyFamilies() async throws {
        #expect(try await takenCount { try await store.keep(Family(Self.terms($0))) } == Self.limit)
        #expect(try await takenCount { _ = try await store.begin(Family(Self.terms($0 + 10_000))) } == 0)
    }

    @Test func keepsSoManyLogins() async throws {
        let taken = try await takenCount { index in
            try await store.keep(
                Login(
                    id: LoginID("login \(index)"), userID: "alice",
                    authentication: Authentication(at: Self.start, methods: ["pwd"]), expires: Self.end))
        }
        #expect(taken == Self.limit)
    }

    @Test func keepsSoManyRevocations() async throws {
        let taken = try await takenCount { index in
            try await store.revokeAccessToken("token \(index)", expiring: Self.end, at: Self.start)
        }
        #expect(taken == Self.limit)
    }

    @Test func keepsSoManyConsents() async throws {
        let taken = try await takenCount { index in
            try await store.rememberConsent(.empty, of: .empty, by: "user \(index)", to: "app", for: [])
        }
        #expect(taken == Self.limit)
    }

    /// What has expired makes room, by the clock of whoever comes and not by when the request will end.
    @Test func keepsSoManyPushedRequestsUntilTheyExpire() async throws {
        func keep(_ index: Int, at now: Timestamp) async throws {
            let request = PushedRequest(clientID: "app", parameters: FormParameters(), expires: now + .seconds(60))
            try await store.keep(request, named: Self.digest(index), at: now)
        }
        #expect(try await takenCount { try await keep($0, at: Self.start) } == Self.limit)
        let early = Self.end - .seconds(1)
        #expect(try await takenCount { try await keep($0 + 10_000, at: early) } == 0)
        #expect(try await takenCount { try await keep($0 + 20_000, at: Self.end) } == Self.limit)
    }
}
