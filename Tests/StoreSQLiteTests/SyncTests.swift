import IdentityProvider
import OAuth
import Primitives
import StoreSQLite
import Synchronization
import Testing

/// Nobody is answered before what he is told is on the disk. What a kill does not show, for the system keeps what was
/// written and not synced: a power failure would.
@Suite struct SyncTests {
    private let database: Database
    private let sync: HeldSync
    private let engine: SQLiteEngine

    init() throws {
        database = try Database()
        sync = HeldSync(of: database.file + "-wal")
        engine = try database.open()
    }

    private enum Event: Sendable, Equatable {
        case syncing, asking, answered
    }

    /// Every verb that changes something, once.
    private static let verbs: [(name: String, run: @Sendable (SQLiteStore) async throws -> Void)] = [
        ("keep a family", { try await $0.keep(Family(Sample.terms(2))) }),
        ("begin a family", { _ = try await $0.begin(Family(Sample.terms(3))) }),
        ("judge", { _ = try await $0.judge(Sample.terms().id) { $0.end(.revoked, at: Sample.start) } }),
        (
            "refresh",
            {
                _ = try await $0.refresh(Sample.terms().id) { family, _ in
                    RefreshOutcome(family.end(.revoked, at: Sample.start))
                }
            }
        ),
        ("keep a code", { try await $0.keep(Sample.code(2), named: TokenDigest(of: "new")) }),
        (
            "consume a code",
            { _ = try await $0.consumeCode(named: TokenDigest(of: "code"), at: Sample.start) { _ in true } }
        ),
        (
            "spend",
            {
                _ = try await $0.spend(
                    OneTimeIdentifier(.proof, of: "app", named: "jti"), until: .endOfYear9999, at: Sample.start)
            }
        ),
        ("revoke", { try await $0.revokeAccessToken("a.b", expiring: .endOfYear9999, at: Sample.start) }),
        ("consent", { try await $0.rememberConsent(.empty, of: .empty, by: "alice", to: "app", for: []) }),
        ("register", { try await $0.keep(Sample.registration()) }),
        ("remove everything", { try await $0.removeAll() }),
    ]

    @Test(arguments: verbs.indices)
    func nobodyIsAnsweredBeforeTheSyncIsDone(verb: Int) async throws {
        defer { engine.close() }
        let store = engine.store()
        try await store.keep(Family(Sample.terms()))
        try await store.keep(Sample.code(), named: TokenDigest(of: "code"))
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let isAnswered = Atomic<Bool>(false)
        sync.hold { continuation.yield(.syncing) }
        let asking = Task {
            defer { continuation.yield(.answered) }
            defer { isAnswered.store(true, ordering: .sequentiallyConsistent) }
            try await Self.verbs[verb].run(store)
        }
        var iterator = events.makeAsyncIterator()
        // What is not synced at all is answered and comes to no sync.
        try #require(await iterator.next() == .syncing, "\(Self.verbs[verb].name)")
        // Others go on, and see nothing of what is not on the disk: each round is longer than an answer takes.
        for _ in 0..<100 {
            #expect(try await store.family(Sample.terms().id)?.ended == nil)
            #expect(try await store.family(Sample.terms(2).id) == nil)
        }
        let wasEarly = isAnswered.load(ordering: .sequentiallyConsistent)
        #expect(!wasEarly, "\(Self.verbs[verb].name)")
        sync.letGo()
        #expect(await iterator.next() == .answered)
        try await asking.value
    }

    /// The log of what a few pages were again and again may have all the room that there is. What is taken into the database
    /// out of it makes room.
    @Test func aLogWithoutRoomIsTakenIn() async throws {
        defer { engine.close() }
        let store = engine.store()
        try await store.keep(Sample.registration())
        sync.limit(to: 200_000)
        for revision in 1...200 { try await store.update(Sample.registration(revision: revision, name: "\(revision)")) }
        #expect(try await store.registrations().first?.metadata["client_name"]?.string == "200")
        engine.close()
        #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
    }

    private final class Entry: Sendable {
        let isThere = Atomic<Bool>(false)
    }

    /// To put on the disk what was in the log takes as long as many commits: nobody waits for that.
    @Test(.timeLimit(.minutes(2))) func theWriterGoesOnWhileTheDatabaseIsSynced() async throws {
        engine.close()
        let sync = HeldSync(of: database.file)
        let engine = try database.open()
        defer { engine.close() }
        let store = engine.store()
        let entry = Entry()
        sync.hold { entry.isThere.store(true, ordering: .sequentiallyConsistent) }
        let release = Task {
            while !entry.isThere.load(ordering: .sequentiallyConsistent) {
                try await Task.sleep(for: .milliseconds(10))
            }
            try await Task.sleep(for: .seconds(30))
            Issue.record("somebody waited for the sync of the database")
            sync.letGo()
        }
        defer { release.cancel() }
        // However it ends: the engine waits for its threads.
        defer { sync.letGo() }
        // The writer is never idle, or the log could be taken in whole, and be synced by SQLite itself. There are fewer pages
        // than he takes in alone, three for each request.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for client in 1...32 {
                group.addTask {
                    for index in 1...90 where !entry.isThere.load(ordering: .sequentiallyConsistent) {
                        let name = TokenDigest(of: "\(client) \(index)")
                        try await store.keep(Sample.request(), named: name, at: Sample.start)
                    }
                }
            }
            try await group.waitForAll()
        }
        let wasSynced = entry.isThere.load(ordering: .sequentiallyConsistent)
        #expect(wasSynced, "nobody has put the database on the disk")
        try await store.keep(Family(Sample.terms()))
        #expect(try await store.family(Sample.terms().id) != nil)
    }

    /// What came while the disk was busy goes there together.
    @Test func manyShareASync() async throws {
        defer { engine.close() }
        let store = engine.store()
        let before = engine.statistics.groups
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seed in 1...500 { group.addTask { try await store.keep(Family(Sample.terms(UInt64(seed)))) } }
            try await group.waitForAll()
        }
        #expect(engine.statistics.changes >= 500)
        #expect(engine.statistics.groups - before < 400)
    }

    /// Of those who share a sync the first tells the others. Each is told what is his, refusals too.
    @Test(.timeLimit(.minutes(1))) func everyoneWhoSharesASyncIsToldHisOwn() async throws {
        engine.close()
        let count: UInt64 = 40
        var limits = StoreLimits.onDisk
        limits.families = Int(count)
        let engine = try database.open(limits)
        defer { engine.close() }
        let store = engine.store()
        for seed in 1...count { try await store.keep(Family(Sample.terms(seed))) }
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        var iterator = events.makeAsyncIterator()
        sync.hold { continuation.yield(.syncing) }
        let first = Task { try await store.judge(Sample.terms(1).id) { $0.end(.revoked, at: Sample.start) } }
        _ = await iterator.next()
        let before = engine.statistics.groups
        try await withThrowingTaskGroup(of: (UInt64, UInt64?).self) { group in
            for seed in 1...count {
                group.addTask {
                    continuation.yield(.asking)
                    // Every fourth wants to add a family, and there is no room.
                    guard seed % 4 == 0 else {
                        return (seed, try await store.judge(Sample.terms(seed).id) { _ in seed })
                    }
                    await #expect(throws: StoreError.full(limit: Int(count))) {
                        try await store.keep(Family(Sample.terms(seed + count)))
                    }
                    return (seed, nil)
                }
            }
            for _ in 1...count { _ = await iterator.next() }
            sync.letGo()
            for try await (seed, told) in group { #expect(told == (seed % 4 == 0 ? nil : seed)) }
        }
        _ = try await first.value
        #expect(engine.statistics.groups - before < Int(count) / 2, "they did not share")
    }

    /// A commit whose sync failed is in the log all the same. Whoever opens the files after a kill does not find it: those who
    /// asked for it were told that it had not happened.
    @Test(arguments: [1, 2, 1000], [(passes: 0, isFirst: false), (0, true), (1, true)])
    func whatCouldNotBeSyncedDoesNotComeBack(failures: Int, _ log: (passes: Int, isFirst: Bool)) async throws {
        let family = Family(Sample.terms())
        try await engine.store().keep(family)
        engine.close()
        let engine = try database.open()
        defer { engine.close() }
        let store = engine.store()
        // Who reads keeps the log open.
        #expect(try await store.family(family.id) != nil)
        if !log.isFirst { try await store.keep(Family(Sample.terms(2))) }
        sync.fail(failures, after: log.passes)
        await #expect(throws: StoreError.self) {
            _ = try await store.judge(family.id) { $0.end(.revoked, at: Sample.start) }
        }
        let left = try await database.family(family.id, inCopy: "left")
        #expect(left != nil && left?.ended == nil)
        #expect(try await store.family(family.id)?.ended == nil)
        // And nothing that is acknowledged afterwards is lost with it.
        sync.fail(0)
        _ = try await store.judge(family.id) { $0.end(.loggedOut, at: Sample.start) }
        #expect(try await database.family(family.id, inCopy: "later")?.ended?.reason == .loggedOut)
    }

    /// A disk that says that it could not: nothing happened, and it is tried again when somebody asks again.
    @Test func whatCouldNotBeSyncedDidNotHappen() async throws {
        defer { engine.close() }
        let store = engine.store()
        try await store.keep(Family(Sample.terms()))
        sync.fail(1)
        do throws(StoreError) {
            _ = try await store.judge(Sample.terms().id) { $0.end(.revoked, at: Sample.start) }
            Issue.record("it was answered")
        } catch {
            #expect(error.description.contains("the database cannot be read or written"))
        }
        #expect(try await store.family(Sample.terms().id)?.ended == nil)
        _ = try await store.judge(Sample.terms().id) { $0.end(.loggedOut, at: Sample.start) }
        #expect(try await store.family(Sample.terms().id)?.ended?.reason == .loggedOut)
        engine.close()
        #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
        #expect(try database.sql("SELECT count FROM counts WHERE name = 'families'") == ["1"])
    }
}
