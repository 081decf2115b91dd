import Foundation
import IdentityProvider
import OAuth
import Primitives
import StoreSQLite
import Synchronization
import TestSupport
import Testing

/// What changes of families goes to the journal first, and to their rows later. Nobody sees a difference.
@Suite struct HeadJournalTests {
    private let database: Database
    private let disk: HeldSync
    private let policy: RotationPolicy

    init() throws {
        database = try Database()
        disk = HeldSync(of: database.file)
        policy = try RotationPolicy(parsing: "okta")
    }

    private static func family(_ seed: Int, expires: Timestamp? = nil) -> Family {
        var family = Family(Sample.terms(UInt64(seed), expires: expires))
        family.rotation.begin(at: Sample.start)
        return family
    }

    private func keep(_ seeds: ClosedRange<Int>, in store: SQLiteStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in seeds { group.addTask { try await store.keep(Self.family(seed)) } }
            try await group.waitForAll()
        }
    }

    private func refresh(_ seed: Int, at second: Int, in store: SQLiteStore) async throws {
        let isAccepted = try await store.judge(Sample.terms(UInt64(seed)).id) { [policy] family in
            policy.judge(&family, presenting: family.rotation.current, at: Sample.start + .seconds(second)).isAccepted
        }
        #expect(isAccepted == true)
    }

    private func refresh(_ seeds: ClosedRange<Int>, at second: Int, in store: SQLiteStore) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in seeds { group.addTask { try await refresh(seed, at: second, in: store) } }
            try await group.waitForAll()
        }
    }

    private func expect(_ seeds: ClosedRange<Int>, toHave current: UInt32, in store: SQLiteStore) async throws {
        for seed in seeds {
            #expect(try await store.family(Sample.terms(UInt64(seed)).id)?.rotation.current == current)
        }
        let all = try await store.families(where: { $0.rotation.current == current }, limit: .max)
        #expect(all.count == seeds.count)
    }

    private var rows: [String] { get throws { try database.sql("SELECT hex(record) FROM families ORDER BY number") } }
    private var journalled: [String] { get throws { try database.sql("SELECT count(*) FROM heads") } }

    @Test func aRefreshChangesNoRow() async throws {
        let engine = try database.open()
        try await keep(1...20, in: engine.store())
        let before = try rows
        try await refresh(1...20, at: 1, in: engine.store())
        #expect(try rows == before)
        #expect(try journalled != ["0"])
        try await expect(1...20, toHave: 2, in: engine.store())
        engine.close()
        // It is found by the next start, and by the one after that.
        for _ in 1...2 {
            let engine = try database.open()
            try await expect(1...20, toHave: 2, in: engine.store())
            engine.close()
        }
        #expect(try rows == before)
    }

    /// Round after round, with starts in between: rows are where they belong, and the journal is short.
    @Test func putsHeadsWhereTheyBelong() async throws {
        for start in 0..<3 {
            let engine = try database.open(journalBytes: 0)
            let store = engine.store()
            if start == 0 { try await keep(1...60, in: store) }
            for turn in 1...40 {
                let second = 40 * start + turn
                // With and without company, and records that grow and shrink.
                if second % 3 == 0 {
                    for seed in 1...60 { try await refresh(seed, at: 7 * second, in: store) }
                } else {
                    try await refresh(1...60, at: 7 * second, in: store)
                }
                if turn % 10 == 0 { try await expect(1...60, toHave: UInt32(1 + second), in: store) }
            }
            engine.close()
            #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
        }
        // Of some four thousand transactions a few are left.
        #expect(try #require(Int(database.sql("SELECT count(*) FROM heads")[0])) < 1200)
        #expect(database.notices.withLock { $0.isEmpty })
        // And of rows nearly all are as they are.
        let snapshot = try DatabaseSnapshot(directory: database.data, seal: RecordSeal())
        var (next, found) = (Int64.min, 0)
        while let family = try snapshot.family(from: next) {
            #expect(family.rotation.current == 121)
            found += 1
            let key = family.id.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
            let number = try database.sql("SELECT number FROM families WHERE key = x'\(key)'")[0]
            guard let number = Int64(number), number < .max else { break }
            next = number + 1
        }
        #expect(found == 60)
    }

    @Test(arguments: [
        "heads = x''", "heads = CAST(heads || x'00' AS BLOB)", "heads = substr(heads, 1, length(heads) - 1)",
        "heads = zeroblob(length(heads))", "sequence = sequence + 5",
    ])
    func refusesAJournalThatIsNotAsItWasWritten(change: String) async throws {
        try await database.prepare { store in
            try await keep(1...2, in: store)
            try await refresh(1...2, at: 1, in: store)
        }
        try database.sql("UPDATE heads SET \(change) WHERE sequence = (SELECT max(sequence) FROM heads)")
        let before = try database.bytes()
        guard case .damaged(_, let reason) = database.refusal() else {
            Issue.record("it was opened")
            return
        }
        #expect(reason.contains("of its journal is not as it was written"))
        #expect(try database.bytes() == before)
    }

    /// The rows of a tenant go, and others of the same numbers come: nothing is left for these.
    @Test(arguments: [false, true]) func nothingIsLeftOfWhatWasRemoved(isOpenedAgain: Bool) async throws {
        var engine = try database.open()
        try await keep(1...10, in: engine.store())
        try await refresh(1...10, at: 1, in: engine.store())
        try await engine.store(of: "acme").keep(Self.family(1))
        try await refresh(1, at: 1, in: engine.store(of: "acme"))
        try await engine.store().removeAll()
        try await keep(1...10, in: engine.store())
        if isOpenedAgain {
            engine.close()
            engine = try database.open()
        }
        defer { engine.close() }
        try await expect(1...10, toHave: 1, in: engine.store())
        try await expect(1...1, toHave: 2, in: engine.store(of: "acme"))
    }

    /// A family that has expired is forgotten, with its head in the journal; one of the same name comes.
    @Test(arguments: [false, true]) func nothingIsLeftOfWhatWasForgotten(isOpenedAgain: Bool) async throws {
        var limits = StoreLimits.onDisk
        limits.families = 3
        var engine = try database.open(limits)
        for seed in 1...3 { try await engine.store().keep(Self.family(seed, expires: Sample.start)) }
        for seed in 1...3 {
            _ = try await engine.store().judge(Sample.terms(UInt64(seed)).id) { $0.end(.revoked, at: Sample.start) }
        }
        let later = Sample.start + .seconds(86_400)
        for seed in [4, 1, 5] {
            var family = Family(
                FamilyTerms(
                    id: Sample.terms(UInt64(seed)).id, clientID: "app", userID: "bob", scope: .empty, loginID: nil,
                    began: later, expires: nil))
            family.rotation.begin(at: later)
            try await engine.store().keep(family)
        }
        if isOpenedAgain {
            engine.close()
            engine = try database.open(limits)
        }
        defer { engine.close() }
        for seed in [4, 1, 5] {
            let family = try await engine.store().family(Sample.terms(UInt64(seed)).id)
            #expect(family?.terms.userID == "bob")
            #expect(family?.rotation.current == 1)
            #expect(family?.ended == nil)
        }
        try await refresh(1, at: 86_401, in: engine.store())
        #expect(try await engine.store().family(Sample.terms(1).id)?.rotation.current == 2)
    }

    /// One takes the place of another of the same name, before and after the journal knows it.
    @Test(arguments: [false, true]) func aRecordThatIsWrittenWhole(isKnown: Bool) async throws {
        let engine = try database.open()
        let store = engine.store()
        try await store.keep(Self.family(1))
        if isKnown { try await refresh(1, at: 1, in: store) }
        let terms = FamilyTerms(
            id: Sample.terms(1).id, clientID: "another", userID: "alice", scope: .empty, loginID: nil,
            began: Sample.start, expires: Sample.start + .seconds(999))
        try await store.keep(Family(terms))
        #expect(try await store.family(terms.id)?.terms.clientID == "another")
        _ = try await store.judge(terms.id) { $0.end(.revoked, at: Sample.start) }
        engine.close()
        try await database.prepare { store in
            let family = try #require(try await store.family(terms.id))
            #expect(family.terms.clientID == "another")
            #expect(family.ended != nil)
            #expect(family.rotation.current == 0)
        }
    }

    /// What cannot be put in its place waits on, and whoever refreshes does not hear of it.
    @Test func whatCannotBePutInItsPlaceWaitsOn() async throws {
        try await database.prepare { store in
            try await keep(1...400, in: store)
            try await refresh(2...400, at: 1, in: store)
        }
        var (failures, second) = (0, 1)
        for _ in 0..<12 {
            // Nothing is in memory but what the first refresh has read: what fails to be read is another's.
            let engine = try database.open(journalBytes: 0)
            for turn in 0..<30 {
                second += 60
                if turn == 1 { disk.failRead(after: 0) }
                try await refresh(1, at: second, in: engine.store())
            }
            if !disk.hasFailureLeft { failures += 1 }
            engine.close()
        }
        #expect(failures >= 6)
        try await database.prepare { store in
            try await expect(1...1, toHave: 361, in: store)
            try await expect(2...400, toHave: 2, in: store)
        }
    }

    /// It is in the journal still when what was there before is forgotten.
    @Test func whatWasPassedOverOutlastsAKill() async throws {
        try await database.prepare { store in
            try await keep(1...400, in: store)
            try await refresh(2...400, at: 1, in: store)
        }
        let last = try database.sql("SELECT max(sequence) FROM heads")[0]
        let engine = try database.open(journalBytes: 0)
        defer { engine.close() }
        // The hand is round after some 256 of these, and has forgotten what was there before half a round later.
        for turn in 1...420 {
            if turn == 200 { disk.failRead(after: 0) }
            try await refresh(1, at: 60 * turn, in: engine.store())
        }
        #expect(!disk.hasFailureLeft)
        #expect(try database.sql("SELECT min(sequence) > \(last) FROM heads") == ["1"])
        let left = try await database.families(inCopy: "left")
        #expect(left.count { $0.rotation.current == 2 } == 399)
    }

    /// Damage of one row keeps no other from its place. Should it go, nothing is lost.
    @Test func damageAilsNoOther() async throws {
        try await database.prepare { store in
            try await keep(1...20, in: store)
            try await refresh(1...20, at: 1, in: store)
        }
        let three = Sample.terms(3).id
        let key = three.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let before = try database.sql("SELECT hex(record) FROM families WHERE key = x'\(key)'")[0]
        try database.sql("UPDATE families SET record = x'00' WHERE key = x'\(key)'")
        let engine = try database.open(journalBytes: 0)
        let store = engine.store()
        for turn in 2...100 { for seed in [1, 2, 4, 5, 6] { try await refresh(seed, at: 60 * turn, in: store) } }
        for seed in 7...20 { #expect(try await store.family(Sample.terms(UInt64(seed)).id)?.rotation.current == 2) }
        let isDamaged = StoreError.unavailable(reason: "a record in families is damaged")
        await #expect(throws: isDamaged) { _ = try await store.family(three) }
        await #expect(throws: isDamaged) { _ = try await store.judge(three) { $0.end(.revoked, at: Sample.start) } }
        engine.close()
        try database.sql("UPDATE families SET record = x'\(before)' WHERE key = x'\(key)'")
        try await database.prepare { store in
            let family = try await store.family(three)
            #expect(family?.rotation.current == 2)
        }
    }

    @Test func aBackupHasWhatWaits() async throws {
        let engine = try database.open()
        defer { engine.close() }
        try await keep(1...5, in: engine.store())
        try await refresh(1...5, at: 1, in: engine.store())
        let copy = try Database()
        try await copy.prepare()
        try DatabaseBackup.copy(directory: database.data, to: copy.directory.path("copy.db"))
        try copy.write(try Data(contentsOf: URL(filePath: copy.directory.path("copy.db"))))
        let other = try copy.open()
        defer { other.close() }
        try await expect(1...5, toHave: 2, in: other.store())
    }

    /// The journal takes room that there may not be: who refreshes has his answer all the same.
    @Test func refreshesWhereThereIsNoRoomForTheJournal() async throws {
        var limits = StoreLimits.onDisk
        limits.databaseBytes = 500_000
        let engine = try database.open(limits)
        defer { engine.close() }
        let store = engine.store()
        try await keep(1...40, in: store)
        try await refresh(1...40, at: 1, in: store)
        for index in 0..<400 {
            do throws(StoreError) {
                try await store.keep(Sample.request(), named: TokenDigest(of: "\(index)"), at: Sample.start)
            } catch { break }
        }
        for turn in 2...80 { try await refresh(1...40, at: 60 * turn, in: store) }
        try await expect(1...40, toHave: 81, in: store)
        engine.close()
        try await database.prepare { store in try await expect(1...40, toHave: 81, in: store) }
        #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
    }

    /// A disk that is full has no room to put everything in its place either: what fits is done, what does not is refused
    /// at once, and nothing that waits is lost.
    @Test(.timeLimit(.minutes(1)), arguments: [(room: 60_000, isEnough: true), (4_000, false)])
    func aFullDiskWithMuchThatWaits(room: Int64, isEnough: Bool) async throws {
        let log = HeldSync(of: database.file + "-wal")
        let engine = try database.open()
        let store = engine.store()
        try await keep(1...2000, in: store)
        try await refresh(1...2000, at: 1, in: store)
        log.limit(to: room)
        for turn in 1...3 {
            do throws(StoreError) {
                let isFound: Void? = try await store.judge(Sample.terms(1).id) {
                    _ = policy.judge(&$0, presenting: $0.rotation.current, at: Sample.start + .seconds(60 * turn))
                }
                #expect(isEnough && isFound != nil)
            } catch {
                #expect(!isEnough)
                #expect(error == .unavailable(reason: "the disk is full, or the database as large as it may be"))
            }
        }
        log.limit(to: .max)
        try await refresh(1, at: 999, in: store)
        try await expect(1...1, toHave: isEnough ? 6 : 3, in: store)
        try await expect(2...2000, toHave: 2, in: store)
        engine.close()
        try await database.prepare { store in try await expect(2...2000, toHave: 2, in: store) }
        #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
    }
}
