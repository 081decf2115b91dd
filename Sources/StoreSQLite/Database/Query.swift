/// A statement that is prepared once for each connection.
struct Query: Sendable {
    /// Tells it from all others.
    let number: Int
    let sql: String

    /// Those of tables come after these.
    static let begin = Self(number: 0, sql: "BEGIN IMMEDIATE")
    static let beginReading = Self(number: 1, sql: "BEGIN")
    static let commit = Self(number: 2, sql: "COMMIT")
    static let rollback = Self(number: 3, sql: "ROLLBACK")
    static let setCount = Self(
        number: 4,
        sql: "INSERT INTO counts (tenant, name, count) VALUES (?1, ?2, ?3) "
            + "ON CONFLICT (tenant, name) DO UPDATE SET count = excluded.count")
    static let ownCount = 8
}
