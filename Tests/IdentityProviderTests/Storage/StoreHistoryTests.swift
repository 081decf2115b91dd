import IdentityProvider
import OAuth
import Primitives
import Testing

/// Many clients rotate the same families in every engine, and the history of what they were told is checked.
@Suite struct StoreHistoryTests {
    private static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)

    private static func family(_ seed: Int) -> Family {
        var family = Family(
            FamilyTerms(
                id: FamilyID(from: SeededRandom(seed: UInt64(seed) + 1)), clientID: "app", userID: "alice",
                scope: .empty, began: start, expires: nil))
        family.rotation.begin(at: family.terms.began)
        return family
    }

    /// What a client was told: which number it showed, and which it got.
    private struct Event: Sendable {
        let shown: UInt32
        let got: UInt32?
    }

    private static func present(
        _ node: UInt32, of id: FamilyID, to store: any ProviderStore
    ) async throws -> Event {
        let verdict = try await store.judge(id) { family in
            RotationPolicy.strict.judge(&family, presenting: node, at: start)
        }
        guard case .granted(let next, _, _)? = verdict else { return Event(shown: node, got: nil) }
        return Event(shown: node, got: next)
    }

    /// RFC 9700 section 4.14.2: of all who show one token, one gets its successor; what comes after ends the family.
    @Test(arguments: StoreEngine.allCases)
    func oneOfAllWhoShowATokenGetsItsSuccessor(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        for seed in 0..<8 {
            let family = Self.family(seed)
            try await store.keep(family)
            let events = try await withThrowingTaskGroup(of: Event.self) { group in
                for _ in 0..<16 { group.addTask { try await Self.present(1, of: family.id, to: store) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(events.compactMap(\.got) == [2])
            #expect(try await store.family(family.id)?.ended?.reason == .refreshTokenReused)
            #expect(try await Self.present(2, of: family.id, to: store).got == nil)
        }
    }

    /// Under the rules of every provider: what many are told who come at once is what they would be told one after the other,
    /// and so is what becomes of the family. No engine adds a winner, or a fork.
    @Test(arguments: StoreEngine.allCases, RotationProfile.all.map(\.name))
    func thoseWhoComeAtOnceGetWhatTheyWouldOneAfterTheOther(engine: StoreEngine, name: String) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let policy = try RotationPolicy(parsing: name)
        let count = 24
        var expected = Self.family(1)
        try await store.keep(expected)
        // A step of its own for each: all show the first token, then all the newest, then all the first again.
        for step in 0..<3 {
            let node: UInt32 = step == 1 ? max(1, expected.rotation.current) : 1
            let now = Self.start + .milliseconds(step)
            let inTurn = (0..<count).map { _ in
                policy.judge(
                    &expected, presenting: node, at: now, .init(isFromPublicClient: true, wasGoodOnArrival: true))
            }
            let id = expected.id
            let atOnce = try await withThrowingTaskGroup(of: RotationPolicy.Verdict?.self) { group in
                for _ in 0..<count {
                    group.addTask {
                        try await store.refresh(id) { family, _ in
                            RefreshOutcome(
                                policy.judge(
                                    &family, presenting: node, at: now,
                                    .init(isFromPublicClient: true, wasGoodOnArrival: true)))
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Self.counted(atOnce.compactMap(\.self)) == Self.counted(inTurn))
            let found = try #require(try await store.family(id))
            #expect(found.rotation == expected.rotation)
            #expect(found.ended == expected.ended)
        }
    }

    private static func counted(_ verdicts: [RotationPolicy.Verdict]) -> [RotationPolicy.Verdict: Int] {
        Dictionary(verdicts.map { ($0, 1) }, uniquingKeysWith: +)
    }

    /// Each client rotates a family of its own among others: every rotation succeeds, and none is lost or made twice.
    @Test(arguments: StoreEngine.allCases)
    func noRotationIsLostAmongMany(engine: StoreEngine) async throws {
        let test = try StoreUnderTest(engine)
        defer { test.end() }
        let store = test.store
        let rotations: UInt32 = 25
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 0..<16 {
                group.addTask {
                    let family = Self.family(seed)
                    #expect(try await store.begin(family).family.ended == nil)
                    var node: UInt32 = 1
                    for _ in 0..<rotations {
                        let event = try await Self.present(node, of: family.id, to: store)
                        #expect(event.got == node + 1)
                        // What was acknowledged is seen by whoever looks.
                        #expect(try await store.family(family.id)?.rotation.current == node + 1)
                        node += 1
                    }
                }
            }
            try await group.waitForAll()
        }
        let families = try await store.families(where: { _ in true }, limit: 100)
        #expect(families.map(\.rotation.current) == Array(repeating: rotations + 1, count: 16))
    }
}
