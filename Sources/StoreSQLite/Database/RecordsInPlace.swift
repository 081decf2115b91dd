import CSQLite

/// The records of one table, each found by the number of its row, read where it lies, and overwritten there: what SQLite
/// calls incremental input and output of a BLOB. No statement is run for it and no row put together, which spares more than
/// half of what a change costs SQLite. To open it costs about as much as one change spares.
///
///     let records = RecordsInPlace(of: "families", on: database)
///     if let bytes = try records.bytes(at: number) { try records.overwrite(number, with: changed(bytes)) }
///     records.close()                                     // before the end of the transaction
///
/// SQLite commits nothing while it is open.
package final class RecordsInPlace {
    private let database: OpaquePointer
    private let table: String
    private var blob: OpaquePointer?
    /// The row that was last found.
    private var row: Int64?

    /// Nothing that is longer is read like this: whoever made the file may have written that it has any length.
    package static let longestRecord: Int32 = 1 << 16

    package init(of table: String, on database: OpaquePointer) {
        self.table = table
        self.database = database
    }

    deinit { close() }

    /// The record of a row; `nil`: there is none, or none that can be read like this, and a statement tells which.
    package func bytes(at number: Int64) throws(SQLiteFailure) -> [UInt8]? {
        row = nil
        let code =
            blob == nil
            ? sqlite3_blob_open(database, "main", table, "record", number, 1, &blob) : sqlite3_blob_reopen(blob, number)
        guard try isDone(code, or: SQLITE_ERROR) else { return nil }
        let count = sqlite3_blob_bytes(blob)
        guard count <= Self.longestRecord else { return nil }
        var outcome = SQLITE_OK
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { bytes, filled in
            outcome = sqlite3_blob_read(blob, bytes.baseAddress, count, 0)
            filled = outcome == SQLITE_OK ? Int(count) : 0
        }
        guard try isDone(outcome, or: SQLITE_ABORT) else { return nil }
        row = number
        return bytes
    }

    /// Puts as many bytes in the place of a row's record, if that is the row which was last found; `false`: it is not, or is
    /// not there any more, or its record has another length.
    package func overwrite(_ number: Int64, with bytes: [UInt8]) throws(SQLiteFailure) -> Bool {
        guard row == number, sqlite3_blob_bytes(blob) == bytes.count else { return false }
        return try isDone(sqlite3_blob_write(blob, bytes, Int32(bytes.count), 0), or: SQLITE_ABORT)
    }

    /// Lets go of the row. It may be used again, in another transaction too.
    package func close() {
        row = nil
        sqlite3_blob_close(blob)
        blob = nil
    }

    /// - Parameter expected: what SQLite may say besides, which changes nothing. Where it says anything else, the transaction
    ///   may be at its end: to go on with statements would commit each of them by itself.
    private func isDone(_ code: Int32, or expected: Int32) throws(SQLiteFailure) -> Bool {
        guard code != SQLITE_OK else { return true }
        let problem = SQLiteProblem(database, code: code)
        // Once it has failed it is good for nothing more.
        close()
        guard problem.primary == expected else { throw .database(problem) }
        return false
    }
}
