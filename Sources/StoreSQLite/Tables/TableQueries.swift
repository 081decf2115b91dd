/// What is asked of a table. A row is found by its number, which follows from tenant and key:
/// see ``RecordSeal/number(of:)``.
struct TableQueries: Sendable {
    let name: TableName
    /// Of the table, among all of them.
    let index: Int
    let find: Query
    let insert: Query
    /// Changes what a row holds, and not from when on it may be forgotten: no index is touched.
    let update: Query
    /// Changes both.
    let updateAll: Query
    let remove: Query
    /// Every row of a tenant, in the order in which they lie on the disk: that of their numbers.
    let scan: Query
    /// Every row of a login; `nil`: rows are not found by that.
    let scanLogin: Query?
    /// Removes some of those that may be forgotten.
    let sweep: Query
    let removeAll: Query

    private static let count = 9

    init(_ table: TableName) {
        self.name = table
        index = TableName.allCases.firstIndex(of: table)!
        let place = Query.ownCount + index * Self.count
        let name = table.rawValue
        find = Query(number: place, sql: "SELECT record FROM \(name) WHERE number = ?1")
        insert = Query(
            number: place + 1,
            sql: table.namesLogin
                ? "INSERT INTO \(name) (number, tenant, key, record, forget, login) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
                : "INSERT INTO \(name) (number, tenant, key, record, forget) VALUES (?1, ?2, ?3, ?4, ?5)")
        update = Query(number: place + 2, sql: "UPDATE \(name) SET record = ?2 WHERE number = ?1")
        updateAll = Query(number: place + 3, sql: "UPDATE \(name) SET record = ?2, forget = ?3 WHERE number = ?1")
        remove = Query(number: place + 4, sql: "DELETE FROM \(name) WHERE number = ?1")
        // SQLite could as well take the index of the tenants of its own accord, and go through the whole tenant.
        scanLogin =
            table.namesLogin
            ? Query(
                number: place + 5,
                sql: "SELECT number, key, record FROM \(name) INDEXED BY \(name)_login "
                    + "WHERE tenant = ?1 AND login = ?2") : nil
        sweep = Query(
            number: place + 6,
            sql: "DELETE FROM \(name) WHERE number IN "
                + "(SELECT number FROM \(name) WHERE tenant = ?1 AND forget <= ?2 ORDER BY forget LIMIT ?3)")
        scan = Query(number: place + 7, sql: "SELECT number, key, record FROM \(name) WHERE tenant = ?1")
        removeAll = Query(number: place + 8, sql: "DELETE FROM \(name) WHERE tenant = ?1")
    }

    static let all: [TableName: TableQueries] = Dictionary(
        uniqueKeysWithValues: TableName.allCases.map { ($0, TableQueries($0)) })
}

extension Connection {
    /// The record of a row.
    func record(at number: Int64, of table: TableQueries) throws(SQLiteFailure) -> [UInt8]? {
        try with(table.find, [.integer(number)]) { statement throws(SQLiteFailure) in
            try statement.step() ? statement.blob(0) : nil
        }
    }
}
