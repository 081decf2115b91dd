import IdentityProvider

/// Brings a database to where families are found by their login: what ends with one is not looked for among all.
enum FindingByLogin {
    private static let batchCount = 1000

    static func migrate(_ connection: Connection) throws(SQLiteFailure) {
        try connection.execute("ALTER TABLE families ADD COLUMN login TEXT")
        var last: Row?
        repeat {
            let rows = try rows(after: last, on: connection)
            for row in rows { try note(row, on: connection) }
            last = rows.last
        } while last != nil
        // Made of what is there already, it is packed.
        try connection.execute(
            "CREATE INDEX families_login ON families (tenant, login) WHERE login IS NOT NULL")
    }

    private struct Row {
        let tenant: String
        let key: [UInt8]
        let record: [UInt8]
    }

    private static func rows(after last: Row?, on connection: Connection) throws(SQLiteFailure) -> [Row] {
        let sql = """
            SELECT tenant, key, record FROM families WHERE (tenant, key) > (?1, ?2)
            ORDER BY tenant, key LIMIT \(batchCount)
            """
        var rows: [Row] = []
        try connection.once(sql, [.text(last?.tenant ?? ""), .blob(last?.key ?? [])]) {
            statement throws(SQLiteFailure) in
            while try statement.step() {
                rows.append(Row(tenant: statement.text(0), key: statement.blob(1), record: statement.blob(2)))
            }
        }
        return rows
    }

    /// One that cannot be read is of no use to anybody, and stays as it is.
    private static func note(_ row: Row, on connection: Connection) throws(SQLiteFailure) {
        guard let login = (try? Family(encoded: RecordSeal.record(row.record)))?.terms.loginID else { return }
        try connection.once(
            "UPDATE families SET login = ?3 WHERE tenant = ?1 AND key = ?2",
            [.text(row.tenant), .blob(row.key), .text(login.text)]
        ) { statement throws(SQLiteFailure) in _ = try statement.step() }
    }
}
