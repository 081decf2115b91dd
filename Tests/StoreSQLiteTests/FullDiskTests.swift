import IdentityProvider
import OAuth
import Primitives
import StoreSQLite
import Testing

/// A database that cannot grow refuses what is new, loses nothing, and goes on when there is room.
@Suite struct FullDiskTests {
    private let database: Database
    private let engine: SQLiteEngine
    private let store: SQLiteStore

    init() throws {
        database = try Database()
        var limits = StoreLimits.onDisk
        limits.databaseBytes = 400_000
        engine = try database.open(limits)
        store = engine.store()
    }

    /// The requests that are kept, until the disk is full.
    private func fill() async throws -> [TokenDigest] {
        var kept: [TokenDigest] = []
        for index in 0..<200 {
            let name = TokenDigest(of: "\(index)")
            do throws(StoreError) {
                try await store.keep(Sample.request(), named: name, at: Sample.start)
                kept.append(name)
            } catch {
                #expect(error == .unavailable(reason: "the disk is full, or the database as large as it may be"))
                return kept
            }
        }
        Issue.record("the disk is never full")
        return kept
    }

    @Test func losesNothingAndGoesOnWhenThereIsRoom() async throws {
        defer { engine.close() }
        let kept = try await fill()
        #expect(!kept.isEmpty)
        for name in kept {
            #expect(try await store.takePushedRequest(named: name, at: Sample.start, if: { _ in true }) != nil)
        }
        try await store.keep(Sample.request(), named: TokenDigest(of: "another"), at: Sample.start)
        try await store.removeAll()
        #expect(try await fill().count >= kept.count)
    }

    /// What ails one that waits does not ail the others who wait with it.
    @Test func refusesAloneWhatHasNoRoom() async throws {
        defer { engine.close() }
        // More than there would be room for in the journal.
        let families = (1...120).map { Family(Sample.terms(UInt64($0))) }
        for family in families { try await store.keep(family) }
        _ = try await fill()
        // Some take a page more than others: until there is none for any.
        var refusals = 0
        for index in 0..<500 where refusals < 64 {
            let name = TokenDigest(of: "more \(index)")
            do throws(StoreError) {
                try await store.keep(Sample.request(), named: name, at: Sample.start)
                refusals = 0
            } catch { refusals += 1 }
        }
        #expect(refusals == 64)
        let (ended, refused) = try await withThrowingTaskGroup(of: Bool.self) { [store] group in
            for family in families {
                group.addTask {
                    try await store.judge(family.id) { family in
                        family.end(.revoked, at: Sample.start)
                        return true
                    } == true
                }
                group.addTask {
                    let name = TokenDigest(of: "late \(family.id)")
                    do throws(StoreError) {
                        try await store.keep(Sample.request(), named: name, at: Sample.start)
                        Issue.record("there was room")
                    } catch { return false }
                    return true
                }
            }
            return try await group.reduce(into: (0, 0)) { if $1 { $0.0 += 1 } else { $0.1 += 1 } }
        }
        #expect(ended == 120)
        #expect(refused == 120)
        for family in families { #expect(try await store.family(family.id)?.ended != nil) }
        engine.close()
        #expect(try database.sql("PRAGMA integrity_check") == ["ok"])
        let rows = try database.sql("SELECT count(*) FROM pushed_requests")
        #expect(try database.sql("SELECT count FROM counts WHERE name = 'pushed_requests'") == rows)
    }

    /// A refresh that comes to nothing in its middle leaves nothing open: the whole log can be taken into the database.
    @Test func keepsNothingOpenAfterARefreshWithoutRoom() async throws {
        defer { engine.close() }
        let policy = try RotationPolicy(parsing: "strict")
        var family = Family(Sample.terms())
        family.rotation.begin(at: Sample.start)
        try await store.keep(family)
        _ = try await fill()
        var kept = 0
        await #expect(throws: StoreError.self) {
            for index in 0..<200 {
                _ = try await store.refresh(family.id) { family, _ in
                    // Undone with the rest, where it comes to nothing.
                    _ = policy.judge(&family, presenting: family.rotation.current, at: Sample.start)
                    var outcome = RefreshOutcome(true)
                    outcome.accessToken = Self.token(index)
                    return outcome
                }
                kept = index + 1
            }
        }
        #expect(try database.sql("PRAGMA wal_checkpoint(TRUNCATE)") == ["0"], "somebody has it open")
        #expect(try await store.family(family.id)?.rotation.current == UInt32(1 + kept))
    }

    /// One that takes some room.
    private static func token(_ index: Int) -> (AccessTokenRecord, TokenDigest) {
        let facts = AccessTokenFacts(
            identifier: "\(index)", clientID: "app", subject: "alice", familyID: nil, scope: .empty,
            audience: [String(repeating: "x", count: 10_000)], issuedAt: Sample.start,
            expires: Sample.start + .seconds(60), confirmation: nil, claims: [:])
        return (AccessTokenRecord(facts), TokenDigest(of: "\(index)"))
    }
}
