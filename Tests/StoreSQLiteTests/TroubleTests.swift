import CSQLite
import Foundation
import IdentityProvider
import OAuth
import Primitives
import StoreSQLite
import Synchronization
import Testing

/// Trouble while the database is open: who asks is told to come again, nothing is lost, and it goes on by itself when the
/// cause is gone.
@Suite struct TroubleTests {
    private let database: Database

    init() throws { database = try Database() }

    private func expectUnavailable(
        _ text: String, _ body: () async throws -> Void, sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        do {
            try await body()
            Issue.record("it was answered", sourceLocation: sourceLocation)
        } catch let error as StoreError {
            #expect(error.description.contains(text), sourceLocation: sourceLocation)
        } catch {
            Issue.record("\(error)", sourceLocation: sourceLocation)
        }
    }

    /// Another program that writes, or an administrator who has begun to.
    @Test func anotherWriterHoldsUpWhoWritesAndNobodyElse() async throws {
        let engine = try database.open()
        defer { engine.close() }
        let store = engine.store()
        let family = Family(Sample.terms())
        try await store.keep(family)
        var other: OpaquePointer?
        defer { sqlite3_close(other) }
        #expect(sqlite3_open(database.file, &other) == SQLITE_OK)
        #expect(sqlite3_exec(other, "BEGIN IMMEDIATE", nil, nil, nil) == SQLITE_OK)
        let alone = await ContinuousClock().measure {
            await expectUnavailable("another program keeps the database locked") {
                try await store.keep(Family(Sample.terms(2)))
            }
        }
        // All who wait together are told at once, and not one after the other.
        let together = await ContinuousClock().measure {
            await withTaskGroup(of: Void.self) { group in
                for seed in 2...20 {
                    group.addTask {
                        await expectUnavailable("another program keeps the database locked") {
                            try await store.keep(Family(Sample.terms(UInt64(seed))))
                        }
                    }
                }
            }
        }
        #expect(together < alone * 8)
        #expect(try await store.family(family.id) != nil)
        #expect(sqlite3_exec(other, "ROLLBACK", nil, nil, nil) == SQLITE_OK)
        try await store.keep(Family(Sample.terms(2)))
        #expect(try await store.families(where: { _ in true }, limit: 99).count == 2)
    }

    /// What would be acknowledged would be gone with the next start, for it would be in a file that nobody finds.
    @Test(arguments: [false, true])
    func acknowledgesNothingWhileItsFileIsGone(isReplaced: Bool) async throws {
        let engine = try database.open()
        defer { engine.close() }
        let store = engine.store()
        try await store.keep(Family(Sample.terms()))
        #expect(await engine.isWorking())
        let aside = database.file + ".aside"
        try FileManager.default.moveItem(atPath: database.file, toPath: aside)
        if isReplaced { try FileManager.default.copyItem(atPath: aside, toPath: database.file) }
        #expect(await !engine.isWorking())
        await expectUnavailable("removed or replaced") { try await store.keep(Family(Sample.terms(2))) }
        #expect(await !engine.isWorking())
        if isReplaced { try FileManager.default.removeItem(atPath: database.file) }
        try FileManager.default.moveItem(atPath: aside, toPath: database.file)
        #expect(await engine.isWorking())
        try await store.keep(Family(Sample.terms(3)))
        #expect(try await store.families(where: { _ in true }, limit: 9).count == 2)
        let notices = database.notices.withLock { $0 }
        #expect(notices.count == 2)
        guard case .failing(let reason)? = notices.first else { return }
        #expect(reason.contains("removed or replaced"))
        #expect(notices.last == .working)
    }

    /// The bytes of the database are overwritten, and then put back.
    @Test func damageShowsAndGoesWhenItIsMended() async throws {
        let engine = try database.open()
        defer { engine.close() }
        let store = engine.store()
        for seed in 1...600 { try await store.keep(Family(Sample.terms(UInt64(seed)))) }
        try database.sql("PRAGMA wal_checkpoint(TRUNCATE)")
        let sound = try database.bytes()
        try overwrite(Data(repeating: 0x5A, count: sound.count - 3 * 4096), at: 3 * 4096)
        // From the log, a page of which makes readers look anew.
        _ = try? await store.spend(
            OneTimeIdentifier(.proof, of: "app", named: "jti"), until: .endOfYear9999, at: Sample.start)
        await expectUnavailable("damaged") {
            for seed in 1...600 { _ = try await store.family(Sample.terms(UInt64(seed)).id) }
        }
        await expectUnavailable("damaged") { _ = try await store.families(where: { _ in true }, limit: 1000) }
        try overwrite(sound, at: 0)
        #expect(try await store.families(where: { _ in true }, limit: 1000).count == 600)
        _ = try await store.judge(Sample.terms().id) { $0.end(.revoked, at: Sample.start) }
        #expect(try await store.family(Sample.terms().id)?.ended?.reason == .revoked)
    }

    /// In place, as a disk does it: the file stays the same file.
    private func overwrite(_ bytes: Data, at offset: Int) throws {
        let file = try FileHandle(forWritingTo: URL(filePath: database.file))
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
        try file.close()
    }
}
