import IdentityProvider
import OAuth
import Primitives
import Testing

/// There is an end to each kind of entry, in every engine.
@Suite struct StoreLimitTests {
    private static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)
    private static let end = start + .seconds(60)
    /// One in each part of a table.
    private static let limit = 64
    private static let attempts = 3000

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

    private static func terms(
        _ index: Int, at began: Timestamp = start, until expires: Timestamp? = nil
    ) -> FamilyTerms {
        FamilyTerms(
            id: FamilyID(from: SeededRandom(seed: UInt64(index) + 1)), clientID: "app", userID: "alice", scope: .empty,
            began: began, expires: expires)
    }

    @Test(arguments: StoreEngine.allCases)
    func keepsSoManyFamilies(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
        #expect(try await takenCount { try await store.keep(Family(Self.terms($0))) } == Self.limit)
        #expect(try await takenCount { _ = try await store.begin(Family(Self.terms($0 + 10_000))) } == 0)
    }

    /// Until when what has expired is remembered, to say that it has.
    private static let forgotten = end + Family.retention

    @Test(arguments: StoreEngine.allCases)
    func remembersFamiliesForAWhileAfterTheirEnd(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
        func keep(_ index: Int, at now: Timestamp) async throws {
            try await store.keep(Family(Self.terms(index, at: now, until: Self.end)))
        }
        #expect(try await takenCount { try await keep($0, at: Self.start) } == Self.limit)
        let early = Self.forgotten - .seconds(1)
        #expect(try await takenCount { try await keep($0 + 10_000, at: early) } == 0)
        #expect(try await takenCount { try await keep($0 + 20_000, at: Self.forgotten) } >= Self.limit)
    }

    @Test(arguments: StoreEngine.allCases)
    func keepsSoManyLoginsAndForAWhileAfterTheirEnd(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
        func keep(_ index: Int, at now: Timestamp) async throws {
            try await store.keep(
                Login(
                    id: LoginID("login \(index)"), userID: "alice",
                    authentication: Authentication(at: now, methods: ["pwd"]), expires: Self.end))
        }
        #expect(try await takenCount { try await keep($0, at: Self.start) } == Self.limit)
        let early = Self.forgotten - .seconds(1)
        #expect(try await takenCount { try await keep($0 + 10_000, at: early) } == 0)
        #expect(try await takenCount { try await keep($0 + 20_000, at: Self.forgotten) } >= Self.limit)
    }

    @Test(arguments: StoreEngine.allCases)
    func keepsSoManyAccessTokens(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
        let taken = try await takenCount { index in
            let facts = AccessTokenFacts(
                identifier: "token \(index)", clientID: "app", subject: "alice", familyID: nil, scope: .empty,
                audience: [], issuedAt: Self.start, expires: Self.end, confirmation: nil, claims: [:])
            try await store.keep(AccessTokenRecord(facts), named: Self.digest(index))
        }
        #expect(taken == Self.limit)
    }

    @Test(arguments: StoreEngine.allCases)
    func keepsSoManyCodes(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
        let taken = try await takenCount { index in
            try await store.keep(
                AuthorizationCode(terms: Self.terms(index), redirectURI: nil, challenge: nil, expires: Self.end),
                named: Self.digest(index))
        }
        #expect(taken == Self.limit)
    }

    @Test(arguments: StoreEngine.allCases)
    func remembersSoManyNamesThatWereSpent(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
        let taken = try await takenCount { index in
            _ = try await store.spend(
                OneTimeIdentifier(.proof, of: "key", named: "\(index)"), until: Self.end, at: Self.start)
        }
        #expect(taken == Self.limit)
    }

    @Test(arguments: StoreEngine.allCases)
    func keepsSoManyInteractions(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
        let taken = try await takenCount { index in
            try await store.keep(
                Interaction(
                    id: InteractionID("\(index)"), purpose: .page("/"), browser: nil, began: Self.start,
                    expires: Self.end))
        }
        #expect(taken == Self.limit)
    }

    /// Nothing happened to a device that finds no room: its code is free.
    @Test(arguments: StoreEngine.allCases)
    func aDeviceThatFindsNoRoomTakesNoCode(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
        func keep(_ index: Int, at now: Timestamp, until expires: Timestamp) async throws -> Bool {
            try await store.keep(
                DeviceAuthorization(
                    clientID: "app", userCode: "CODE\(index)", scope: .empty, interval: .seconds(5), expires: expires),
                named: Self.digest(index), at: now)
        }
        _ = try await takenCount { _ = try await keep($0, at: Self.start, until: Self.end) }
        // The codes have expired and the devices are remembered: there is room for the former alone.
        let (early, late) = (Self.forgotten - .seconds(1), Self.forgotten + .seconds(86_400))
        var refused: [Int] = []
        for index in 10_000..<11_000 {
            do { _ = try await keep(index, at: early, until: late) } catch { refused.append(index) }
        }
        #expect(refused.count > 900)
        for index in refused {
            #expect((try? await keep(index, at: Self.forgotten, until: late)) != false)
        }
    }

    /// What has expired is remembered for a while, so that its codes, which are free again, make no room for more.
    @Test(arguments: StoreEngine.allCases)
    func keepsSoManyDevicesAndForAWhileAfterTheirEnd(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
        func keep(_ index: Int, at now: Timestamp) async throws {
            _ = try await store.keep(
                DeviceAuthorization(
                    clientID: "app", userCode: "CODE\(index)", scope: .empty, interval: .seconds(5),
                    expires: now + .seconds(60)), named: Self.digest(index), at: now)
        }
        // A device takes two places, so that both tables need not be full.
        let taken = try await takenCount { try await keep($0, at: Self.start) }
        #expect((1...Self.limit).contains(taken))
        let early = Self.forgotten - .seconds(1)
        #expect(try await takenCount { try await keep($0 + 10_000, at: early) } <= Self.limit - taken)
        #expect(try await takenCount { try await keep($0 + 20_000, at: Self.forgotten) } > 0)
    }

    @Test(arguments: StoreEngine.allCases)
    func keepsSoManyRevocations(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
        let taken = try await takenCount { index in
            try await store.revokeAccessToken("token \(index)", expiring: Self.end, at: Self.start)
        }
        #expect(taken == Self.limit)
    }

    @Test(arguments: StoreEngine.allCases)
    func keepsSoManyConsents(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
        let taken = try await takenCount { index in
            try await store.rememberConsent(.empty, of: .empty, by: "user \(index)", to: "app", for: [])
        }
        #expect(taken == Self.limit)
    }

    /// What has expired makes room, by the clock of whoever comes and not by when the request will end.
    @Test(arguments: StoreEngine.allCases)
    func keepsSoManyPushedRequestsUntilTheyExpire(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine, limit: Self.limit)
        defer { test.end() }
        let store = test.store
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
