import Foundation
import IdentityProvider
import StoreSQLite
import TestSupport
import Testing

/// What is opened is ours, whole, private, and nobody else's.
@Suite struct OpeningTests {
    private let database: Database

    init() throws { database = try Database() }

    @Test func isForItsOwnerAlone() async throws {
        let engine = try database.open()
        defer { engine.close() }
        #expect(try database.permissions(database.data) == 0o700)
        for name in ["pawl.db", "pawl.db-wal", "pawl.db-shm", "lock"] {
            #expect(try database.permissions(database.data + "/" + name) == 0o600, "\(name)")
        }
    }

    @Test(arguments: [(0o755, 0o600), (0o700, 0o640)])
    func refusesWhatIsOpenToOthers(directory: Int, file: Int) async throws {
        try await database.prepare()
        try FileManager.default.setAttributes([.posixPermissions: directory], ofItemAtPath: database.data)
        try FileManager.default.setAttributes([.posixPermissions: file], ofItemAtPath: database.file)
        guard case .openToOthers? = database.refusal() else {
            Issue.record("\(String(describing: database.refusal()))")
            return
        }
    }

    @Test func refusesASecondServer() async throws {
        let engine = try database.open()
        let refusal = database.refusal()
        #expect(refusal == .inUse(directory: database.data, process: ProcessInfo.processInfo.processIdentifier))
        #expect(refusal?.hint?.contains("--data") == true)
        engine.close()
        #expect(database.refusal() == nil)
    }

    @Test func refusesADatabaseOfANewerProgram() async throws {
        try await database.prepare()
        try database.sql("PRAGMA user_version = 99")
        #expect(database.refusal() == .writtenByNewer(path: database.file, version: 99, known: 6))
        #expect(try database.sql("PRAGMA user_version") == ["99"])
    }

    @Test func refusesADatabaseOfAnotherProgram() async throws {
        try await database.prepare()
        try database.sql("PRAGMA application_id = 1")
        #expect(database.refusal() == .foreign(path: database.file))
    }

    @Test(arguments: [
        "PRAGMA user_version = -1", "PRAGMA user_version = 0", "DROP TABLE families", "DROP TABLE counts",
        "DROP TABLE registrations", "DROP TABLE seal", "DELETE FROM seal",
    ])
    func refusesADatabaseThatIsNotWhole(change: String) async throws {
        try await database.prepare()
        try database.sql(change)
        let refusal = database.refusal()
        switch refusal {
        case .damaged?, .ofAnotherSecret?: #expect(refusal?.hint != nil)
        default: Issue.record("\(String(describing: refusal))")
        }
    }

    @Test func saysThatAFileIsNoDirectory() throws {
        try Data().write(to: URL(filePath: database.data))
        #expect(database.refusal() == .noDirectory(path: database.data))
        #expect(database.refusal()?.hint != nil)
    }

    private func expectDamage(_ change: (inout Data) -> Void) async throws {
        try await database.prepare { store in
            for seed in 1...400 {
                try await store.keep(Sample.code(UInt64(seed)), named: .init(of: "\(seed)"))
            }
        }
        var bytes = try database.bytes()
        change(&bytes)
        try database.write(bytes)
        guard case .damaged? = database.refusal() else {
            Issue.record("\(String(describing: database.refusal()))")
            return
        }
        // Nothing was done to it: whoever can save something still finds it.
        #expect(try database.bytes() == bytes)
    }

    @Test func refusesADatabaseThatWasCutOff() async throws {
        try await expectDamage { $0 = $0.prefix($0.count / 2) }
    }

    @Test func refusesADatabaseThatIsEmpty() async throws {
        try await expectDamage { $0 = Data() }
    }

    @Test func refusesWhatIsNoDatabase() async throws {
        try await expectDamage { $0 = Data(repeating: 0x41, count: $0.count) }
    }

    @Test func refusesADatabaseWithADamagedPage() async throws {
        try await expectDamage { bytes in
            for index in (bytes.count / 2)..<(bytes.count / 2 + 4096) { bytes[index] = 0x5A }
        }
    }

    /// The log without its database is what somebody left who removed one of the two.
    @Test func refusesALogWithoutItsDatabase() async throws {
        try await database.prepare()
        try FileManager.default.removeItem(atPath: database.file)
        try Data(repeating: 1, count: 100).write(to: URL(filePath: database.file + "-wal"))
        guard case .damaged? = database.refusal() else {
            Issue.record("\(String(describing: database.refusal()))")
            return
        }
    }

    @Test func saysThatTheDirectoryCannotBeMade() throws {
        let file = database.directory.path("file")
        try Data().write(to: URL(filePath: file))
        do throws(SQLiteStoreError) {
            _ = try DirectoryLock(file + "/data")
            Issue.record("there is a directory below a file")
        } catch {
            #expect(error.description.contains("cannot make the directory"))
        }
    }
}
