import IdentityProvider

/// What a database has at one moment, for whoever looks at it beside the server that writes it.
package final class DatabaseSnapshot {
    private let connection: Connection
    private let heads = WaitingHeads()

    package init(directory: String, seal: RecordSeal) throws(SQLiteStoreError) {
        let path = directory + "/" + SQLiteEngine.fileName
        do throws(SQLiteFailure) {
            connection = try Connection(path, for: .lookingOnly)
            // The heads and the rows of the same moment.
            try connection.run(.beginReading)
            _ = try HeadJournal(on: connection, heads, seal)
        } catch {
            throw SQLiteStoreError(error, path: path)
        }
    }

    /// The family of the first row from a number on, whosever it is.
    package func family(from number: Int64) throws(SQLiteFailure) -> Family? {
        let sql = "SELECT number, record FROM families WHERE number >= ?1 ORDER BY number LIMIT 1"
        let found = try connection.once(sql, [.integer(number)]) { statement throws(SQLiteFailure) in
            try statement.step() ? (number: statement.integer(0), record: statement.blob(1)) : nil
        }
        guard let found else { return nil }
        let record = heads.record(found.record, at: found.number, as: Family.self)
        return record.flatMap { try? Family(encoded: RecordSeal.record($0)) }
    }
}
