/// What is asked of a table.
struct TableQueries: Sendable {
    let find: Query
    let insert: Query
    let update: Query
    let remove: Query
    /// Every row of a tenant.
    let scan: Query
    /// Removes some of those that may be forgotten.
    let sweep: Query
    let removeAll: Query

    init(_ table: TableName) {
        let place = Query.ownCount + TableName.allCases.firstIndex(of: table)! * 7
        let name = table.rawValue
        find = Query(number: place, sql: "SELECT record FROM \(name) WHERE tenant = ?1 AND key = ?2")
        insert = Query(
            number: place + 1, sql: "INSERT INTO \(name) (tenant, key, record, forget) VALUES (?1, ?2, ?3, ?4)")
        update = Query(
            number: place + 2, sql: "UPDATE \(name) SET record = ?3, forget = ?4 WHERE tenant = ?1 AND key = ?2")
        remove = Query(number: place + 3, sql: "DELETE FROM \(name) WHERE tenant = ?1 AND key = ?2")
        scan = Query(number: place + 4, sql: "SELECT key, record FROM \(name) WHERE tenant = ?1")
        sweep = Query(
            number: place + 5,
            sql: "DELETE FROM \(name) WHERE tenant = ?1 AND key IN "
                + "(SELECT key FROM \(name) WHERE tenant = ?1 AND forget <= ?2 ORDER BY forget LIMIT ?3)")
        removeAll = Query(number: place + 6, sql: "DELETE FROM \(name) WHERE tenant = ?1")
    }

    static let all: [TableName: TableQueries] = Dictionary(
        uniqueKeysWithValues: TableName.allCases.map { ($0, TableQueries($0)) })
}
