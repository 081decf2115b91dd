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
    static let keepHeads = Self(number: 5, sql: "INSERT INTO heads (sequence, heads) VALUES (?1, ?2)")
    static let forgetHeads = Self(number: 6, sql: "DELETE FROM heads WHERE sequence BETWEEN ?1 AND ?2")
    static let forgetAllHeads = Self(number: 7, sql: "DELETE FROM heads")
    static let ownCount = 8
}
