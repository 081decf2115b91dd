import IdentityProvider
import OAuth
import Primitives
import StoreSQLite
import Testing

/// Records that are overwritten where they lie, and those that cannot be, by many changes of one transaction.
@Suite struct ChangesInPlaceTests {
    private let database: Database
    private let sync: HeldSync
    private let disk: HeldSync
    private let engine: SQLiteEngine
    private let store: SQLiteStore

    init() throws {
        database = try Database()
        sync = HeldSync(of: database.file + "-wal")
        disk = HeldSync(of: database.file)
        engine = try database.open()
        store = engine.store()
    }

    private typealias Change = @Sendable (SQLiteStore) async throws -> Void

    /// Has them done one after the other and put on the disk by one sync. So many syncs fail from this on.
    private func inOneTransaction(
        of engine: SQLiteEngine? = nil, failures: Int = 0, _ changes: [Change]
    ) async throws {
        let engine = engine ?? self.engine
        let store = engine.store()
        let (entries, continuation) = AsyncStream.makeStream(of: Void.self)
        sync.hold { continuation.yield() }
        let groups = engine.statistics.groups
        let other = UInt64(1_000_000 + groups)
        let first = Task { try await store.keep(Family(Sample.terms(other))) }
        for await _ in entries { break }
        // What comes while the disk is busy is the next transaction.
        let tasks = changes.map { change in Task.immediate { try await change(store) } }
        sync.fail(failures)
        sync.letGo()
        try await first.value
        for task in tasks { try await task.value }
        #expect(engine.statistics.groups - groups == 2)
    }

    /// With its first token.
    private static func family(_ seed: Int) -> Family {
        var family = Family(Sample.terms(UInt64(seed)))
        family.rotation.begin(at: Sample.start)
        return family
    }

    private static func refresh(_ seed: Int, _ policy: RotationPolicy, at second: Int) -> Change {
        { store in
            let isAccepted = try await store.judge(Sample.terms(UInt64(seed)).id) { family in
                policy.judge(&family, presenting: family.rotation.current, at: Sample.start + .seconds(second))
                    .isAccepted
            }
            #expect(isAccepted == true)
        }
    }

    private static func end(_ seed: Int) -> Change {
        { store in
            let isFound: Void? = try await store.judge(Sample.terms(UInt64(seed)).id) {
                $0.end(.revoked, at: Sample.start)
            }
            #expect(isFound != nil)
        }
    }

    /// Some profiles remember what was replaced for a while, and their records grow and shrink.
    @Test(arguments: ["strict", "okta", "okta,window=1s", "supabase"])
    func refreshesOfOneTransaction(profile: String) async throws {
        defer { engine.close() }
        let policy = try RotationPolicy(parsing: profile)
        var expected = (1...20).map(Self.family)
        for family in expected { try await store.keep(family) }
        // Twice: those of the second time find what the first has left.
        for start in [0, 100] {
            let turns = [0, 1, 2, 9].flatMap { second in (1...20).map { (seed: $0, second: start + second) } }
            try await inOneTransaction(turns.map { Self.refresh($0.seed, policy, at: $0.second) })
            for (seed, second) in turns {
                let current = expected[seed - 1].rotation.current
                _ = policy.judge(&expected[seed - 1], presenting: current, at: Sample.start + .seconds(second))
            }
        }
        for family in expected {
            #expect(try await store.family(family.id)?.rotation == family.rotation)
        }
        let first = try #require(expected.first)
        #expect(try await database.family(first.id, inCopy: "left")?.rotation == first.rotation)
        engine.close()
        #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
    }

    /// Rows come and go in the table, one is missing, and records become longer between two changes of the same one.
    @Test func refreshesAmongOtherChanges() async throws {
        defer { engine.close() }
        let policy = try RotationPolicy(parsing: "strict")
        for seed in 1...3 { try await store.keep(Self.family(seed)) }
        let isMissing: Change = { store in
            let isFound = try await store.judge(Sample.terms(99).id) { _ in true }
            #expect(isFound == nil)
        }
        let comes: [Change] = (200..<500).map { seed in
            { try await $0.keep(Family(Sample.terms(seed, expires: Sample.start))) }
        }
        // From its moment on, those that have expired go.
        let makesRoom: [Change] = (500..<600).map { seed in
            {
                try await $0.keep(
                    Family(
                        FamilyTerms(
                            id: FamilyID(from: SeededRandom(seed: seed)), clientID: "app", userID: "alice",
                            scope: .empty,
                            loginID: nil, began: Sample.start + .seconds(86_400), expires: nil)))
            }
        }
        try await inOneTransaction(
            [Self.refresh(1, policy, at: 1), isMissing, Self.refresh(1, policy, at: 2), Self.end(1)] + comes
                + [Self.end(1), Self.refresh(2, policy, at: 3), Self.end(3)] + makesRoom
                + [Self.refresh(2, policy, at: 4), isMissing, Self.end(2)])
        let families = try await store.families(where: { _ in true }, limit: 1000)
        let (one, two, three) = (Sample.terms(1).id, Sample.terms(2).id, Sample.terms(3).id)
        #expect(families.count { $0.ended != nil } == 3)
        #expect(families.first { $0.id == one }?.rotation.current == 3)
        #expect(families.first { $0.id == two }?.rotation.current == 3)
        #expect(families.first { $0.id == three }?.rotation.current == 1)
        #expect(families.count < 3 + 300 + 100, "none of those that had expired has gone")
        engine.close()
        #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
    }

    /// A row that was read goes, and another one comes in its place.
    @Test func refreshesOfWhatWentAndCameAgain() async throws {
        defer { engine.close() }
        let policy = try RotationPolicy(parsing: "strict")
        try await store.keep(Self.family(1))
        try await inOneTransaction([
            Self.refresh(1, policy, at: 1), { try await $0.removeAll() }, { try await $0.keep(Self.family(1)) },
            Self.refresh(1, policy, at: 2), Self.refresh(1, policy, at: 3), Self.refresh(1, policy, at: 4),
        ])
        #expect(try await store.families(where: { _ in true }, limit: 9).map(\.rotation.current) == [4])
        engine.close()
        #expect(try database.sql("SELECT count FROM counts WHERE name = 'families'") == ["1"])
    }

    /// Until when a login is needed stands in a column of its own, which is changed by a statement.
    @Test func aColumnThatIsChangedBetween() async throws {
        defer { engine.close() }
        let id = LoginID("login")
        let login = Login(
            id: id, userID: "alice", authentication: Authentication(at: Sample.start, methods: ["pwd"]),
            expires: Sample.start + .seconds(60))
        try await store.keep(login)
        let needs: (Int) -> Change = { second in
            { _ = try await $0.change(id) { $0.neededUntil = Sample.start + .seconds(second) } }
        }
        let stays: (Int) -> Change = { stay in { _ = try await $0.change(id) { $0.userStay = stay } } }
        try await inOneTransaction([stays(1), stays(2), needs(100), stays(3), needs(200), stays(4)])
        let found = try #require(try await store.login(id))
        #expect(found.userStay == 4)
        #expect(found.neededUntil == Sample.start + .seconds(200))
        let forget = Sample.start + .seconds(200) + Login.retention
        #expect(try database.sql("SELECT forget FROM logins") == ["\(forget.millisecondsSinceEpoch)"])
    }

    /// Nothing is left of a transaction that came to nothing: what is then tried by itself is done once.
    @Test func whatCouldNotBeSyncedIsDoneOnce() async throws {
        defer { engine.close() }
        let policy = try RotationPolicy(parsing: "strict")
        for seed in 1...2 { try await store.keep(Self.family(seed)) }
        try await inOneTransaction(failures: 1, [Self.refresh(1, policy, at: 1), Self.refresh(2, policy, at: 1)])
        for seed in 1...2 {
            let id = Sample.terms(UInt64(seed)).id
            #expect(try await store.family(id)?.rotation.current == 2)
            #expect(try await database.family(id, inCopy: "\(seed)")?.rotation.current == 2)
        }
    }

    @Test func whatCannotBeSyncedIsNowhere() async throws {
        defer { engine.close() }
        let policy = try RotationPolicy(parsing: "strict")
        for seed in 1...2 { try await store.keep(Self.family(seed)) }
        await #expect(throws: StoreError.self) {
            try await inOneTransaction(
                failures: 1000, [Self.refresh(1, policy, at: 1), Self.refresh(2, policy, at: 1)])
        }
        for seed in 1...2 {
            #expect(try await store.family(Sample.terms(UInt64(seed)).id)?.rotation.current == 1)
        }
        sync.fail(0)
        try await inOneTransaction([Self.refresh(1, policy, at: 2), Self.refresh(2, policy, at: 2)])
        for seed in 1...2 {
            let id = Sample.terms(UInt64(seed)).id
            #expect(try await database.family(id, inCopy: "\(seed)")?.rotation.current == 2)
        }
    }

    /// A disk that cannot be read for once: SQLite has ended the transaction then, and whoever goes on as if it had not
    /// does things twice.
    @Test(arguments: 0..<6)
    func whatCouldNotBeReadIsDoneOnce(passes: Int) async throws {
        let policy = try RotationPolicy(parsing: "strict")
        for seed in 1...400 { try await store.keep(Self.family(seed)) }
        // So that nothing is in memory.
        engine.close()
        let engine = try database.open()
        defer { engine.close() }
        let seeds = Array(1...40)
        try await inOneTransaction(
            of: engine,
            [{ [disk] _ in disk.failRead(after: passes) }]
                + seeds.map {
                    Self.refresh($0, policy, at: 1)
                })
        #expect(!disk.hasFailureLeft, "nothing was read")
        for seed in seeds {
            #expect(try await engine.store().family(Sample.terms(UInt64(seed)).id)?.rotation.current == 2)
        }
    }
}
