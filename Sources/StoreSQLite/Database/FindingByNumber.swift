/// Brings a database to where rows are found by a number that follows from tenant and key. Found by these themselves, one
/// row among a million was five pages deep, for the pages above the last held whole rows; by a number it is three, of
/// which the upper two stay in memory.
enum FindingByNumber {
    /// The tables that there were then.
    private static let tables = [
        "codes", "families", "logins", "access_tokens", "revoked_access_tokens", "spent", "pushed_requests", "devices",
        "user_codes", "consents", "interactions", "registrations", "stays",
    ]

    static func migrate(_ connection: Connection, _ seal: RecordSeal) throws(SQLiteFailure) {
        for table in tables {
            try connection.define("number_of") { tenant, key in seal.own(of: tenant, in: table).number(of: key) }
            try connection.execute(statements(for: table, naming: table == "families" ? ", login" : ""))
            guard table == "families" else { continue }
            try connection.execute("CREATE INDEX families_login ON families (tenant, login) WHERE login IS NOT NULL")
        }
    }

    /// Rows come in the order of their numbers, so that pages are filled one after the other. A value that the disk has made one
    /// of another type is taken over as what the column has: whoever reads the row sees that it is damaged, and the others
    /// are not lost with it.
    private static func statements(for table: String, naming login: String) -> String {
        """
        CREATE TABLE numbered (
            number INTEGER PRIMARY KEY, tenant TEXT NOT NULL, key BLOB NOT NULL, record BLOB NOT NULL,
            forget INTEGER\(login.isEmpty ? "" : "\(login) TEXT")
        ) STRICT;
        INSERT INTO numbered (number, tenant, key, record, forget\(login))
            SELECT number_of(CAST(tenant AS BLOB), CAST(key AS BLOB)), CAST(tenant AS TEXT), CAST(key AS BLOB),
                CAST(record AS BLOB), CAST(forget AS INTEGER)\(login.isEmpty ? "" : ", CAST(login AS TEXT)")
            FROM \(table) ORDER BY 1;
        DROP TABLE \(table);
        ALTER TABLE numbered RENAME TO \(table);
        CREATE INDEX \(table)_tenant ON \(table) (tenant);
        CREATE INDEX \(table)_forget ON \(table) (tenant, forget) WHERE forget IS NOT NULL
        """
    }
}
