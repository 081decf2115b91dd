import Foundation
import IdentityProvider
import StoreSQLite
import TestSupport
import Testing

/// A copy is whole, whatever is written meanwhile.
@Suite struct BackupTests {
    private let database: Database

    init() throws { database = try Database() }

    private var copy: String { database.directory.path("copy.db") }

    @Test func copiesWhatWasCommittedWhileItIsWritten() async throws {
        let engine = try database.open()
        defer { engine.close() }
        let store = engine.store()
        for seed in 1...100 { try await store.keep(Family(Sample.terms(UInt64(seed)))) }
        try await withThrowingTaskGroup(of: Void.self) { [database, copy] group in
            for seed in 101...300 { group.addTask { try await store.keep(Family(Sample.terms(UInt64(seed)))) } }
            try DatabaseBackup.copy(directory: database.data, to: copy)
            try await group.waitForAll()
        }
        #expect(try database.permissions(copy) == 0o600)
        let rows = Int(try database.sql("SELECT count(*) FROM families", in: copy)[0])!
        #expect(rows >= 100)
        #expect(try database.sql("SELECT count FROM counts WHERE name = 'families'", in: copy) == ["\(rows)"])
        #expect(try await store.families(where: { _ in true }, limit: 1000).count == 300)
    }

    @Test func copiesADatabaseThatNobodyHasOpen() async throws {
        try await database.prepare { try await $0.keep(Family(Sample.terms())) }
        try DatabaseBackup.copy(directory: database.data, to: copy)
        #expect(try database.sql("SELECT count(*) FROM families", in: copy) == ["1"])
    }

    @Test func refusesToOverwrite() async throws {
        try await database.prepare()
        try Data("mine".utf8).write(to: URL(filePath: copy))
        #expect(throws: SQLiteStoreError.exists(path: copy)) {
            try DatabaseBackup.copy(directory: database.data, to: copy)
        }
        #expect(try String(contentsOfFile: copy, encoding: .utf8) == "mine")
    }

    @Test func refusesToCopyWhatIsDamaged() async throws {
        try await database.prepare { store in
            for seed in 1...400 { try await store.keep(Sample.code(UInt64(seed)), named: .init(of: "\(seed)")) }
        }
        var bytes = try database.bytes()
        for index in (bytes.count / 2)..<(bytes.count / 2 + 4096) { bytes[index] = 0x5A }
        try database.write(bytes)
        #expect(throws: SQLiteStoreError.self) { try DatabaseBackup.copy(directory: database.data, to: copy) }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func refusesToCopyTheDatabaseOfAnotherProgram() async throws {
        try await database.prepare()
        try database.sql("PRAGMA application_id = 1")
        #expect(throws: SQLiteStoreError.foreign(path: database.file)) {
            try DatabaseBackup.copy(directory: database.data, to: copy)
        }
        #expect(!FileManager.default.fileExists(atPath: copy))
    }

    @Test func saysWhatIsMissing() {
        #expect(throws: SQLiteStoreError.missing(path: database.file)) {
            try DatabaseBackup.copy(directory: database.data, to: copy)
        }
    }
}
