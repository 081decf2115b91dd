import CSQLite
import StoreSQLite
import TestSupport
import Testing

/// Records that are read and overwritten where they lie, in a table that has only these.
@Suite final class RecordsInPlaceTests {
    private let directory: TemporaryDirectory
    private let disk: HeldSync
    private let database: OpaquePointer

    init() throws {
        directory = try TemporaryDirectory()
        disk = HeldSync(of: directory.path("records"))
        var opened: OpaquePointer?
        try #require(sqlite3_open(directory.path("records"), &opened) == SQLITE_OK)
        database = try #require(opened)
        try run("CREATE TABLE records (number INTEGER PRIMARY KEY, record BLOB)")
        try run("INSERT INTO records VALUES (1, x'010203'), (2, x'0405'), (3, x''), (4, NULL), (5, zeroblob(10000))")
        try run("INSERT INTO records VALUES (6, zeroblob(65536)), (7, zeroblob(65537))")
        try run("BEGIN IMMEDIATE")
    }

    deinit { sqlite3_close_v2(database) }

    private func run(_ sql: String) throws { try #require(sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK) }

    private var records: RecordsInPlace { RecordsInPlace(of: "records", on: database) }

    private func written(_ number: Int) throws -> String {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let sql = "SELECT hex(record) FROM records WHERE number = \(number)"
        try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
        try #require(sqlite3_step(statement) == SQLITE_ROW)
        return String(cString: sqlite3_column_text(statement, 0))
    }

    @Test func readsAndOverwritesOneAfterTheOther() throws {
        let records = records
        #expect(try records.bytes(at: 1) == [1, 2, 3])
        #expect(try records.overwrite(1, with: [7, 8, 9]))
        #expect(try records.bytes(at: 2) == [4, 5])
        #expect(try records.overwrite(2, with: [6, 6]))
        #expect(try records.bytes(at: 1) == [7, 8, 9])
        #expect(try records.bytes(at: 3) == [])
        #expect(try records.overwrite(3, with: []))
        records.close()
        try run("COMMIT")
        #expect(try [written(1), written(2), written(3)] == ["070809", "0606", ""])
        // And in the next transaction.
        try run("BEGIN IMMEDIATE")
        #expect(try records.bytes(at: 2) == [6, 6])
    }

    /// They go on in other pages of the file.
    @Test func readsAndOverwritesLongOnes() throws {
        let records = records
        #expect(try records.bytes(at: 5) == [UInt8](repeating: 0, count: 10_000))
        #expect(try records.overwrite(5, with: [UInt8](repeating: 0xAB, count: 10_000)))
        #expect(try written(5) == String(repeating: "AB", count: 10_000))
        #expect(try records.bytes(at: 6)?.count == Int(RecordsInPlace.longestRecord))
        #expect(try records.bytes(at: 7) == nil)
        #expect(try !records.overwrite(7, with: [UInt8](repeating: 0, count: 65_537)))
    }

    @Test(arguments: [[], [1, 2], [1, 2, 3, 4]] as [[UInt8]])
    func leavesWhatHasAnotherLength(bytes: [UInt8]) throws {
        let records = records
        #expect(try records.bytes(at: 1) != nil)
        #expect(try !records.overwrite(1, with: bytes))
        #expect(try written(1) == "010203")
    }

    @Test func overwritesOnlyTheRowThatWasLastFound() throws {
        let records = records
        #expect(try !records.overwrite(1, with: [0, 0, 0]))
        #expect(try records.bytes(at: 1) != nil && records.bytes(at: 2) != nil)
        #expect(try !records.overwrite(1, with: [0, 0]))
        #expect(try records.bytes(at: 1) != nil && records.bytes(at: 99) == nil)
        #expect(try !records.overwrite(1, with: [0, 0, 0]))
        records.close()
        #expect(try !records.overwrite(1, with: [0, 0, 0]))
        #expect(try [written(1), written(2)] == ["010203", "0405"])
    }

    @Test func findsOthersAfterOneThatIsNotThere() throws {
        let records = records
        for number in [99, 4, 98] as [Int64] {
            #expect(try records.bytes(at: number) == nil)
            #expect(try records.bytes(at: 1) == [1, 2, 3])
        }
        #expect(try RecordsInPlace(of: "nothing", on: database).bytes(at: 1) == nil)
    }

    @Test(arguments: ["DELETE FROM records WHERE number = 1", "UPDATE records SET record = x'00' WHERE number = 1"])
    func leavesARowThatAStatementHasChanged(statement: String) throws {
        let records = records
        #expect(try records.bytes(at: 1) != nil)
        try run(statement)
        #expect(try !records.overwrite(1, with: [9, 9, 9]))
        #expect(try records.bytes(at: 2) == [4, 5])
        if statement.hasPrefix("UPDATE") { #expect(try written(1) == "00") }
    }

    /// Why it is to be closed.
    @Test func keepsATransactionOpen() throws {
        let records = records
        #expect(try records.bytes(at: 1) != nil)
        #expect(sqlite3_exec(database, "COMMIT", nil, nil, nil) == SQLITE_BUSY)
        records.close()
        try run("COMMIT")
    }

    /// SQLite has ended the transaction, so nobody may go on in it.
    @Test func tellsThatTheDiskCannotBeRead() throws {
        try run("COMMIT")
        // Nothing that was read is kept.
        try run("PRAGMA cache_size = 1")
        try run("BEGIN IMMEDIATE")
        let records = records
        #expect(try records.bytes(at: 5) != nil)
        disk.failRead(after: 0)
        #expect(throws: SQLiteFailure.self) { _ = try records.bytes(at: 6) }
        #expect(!disk.hasFailureLeft)
        #expect(sqlite3_get_autocommit(database) == 1)
        #expect(try records.bytes(at: 1) == [1, 2, 3])
    }
}
