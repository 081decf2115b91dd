/// The form of the database, and how one of an older form becomes one of the present.
enum Schema {
    /// "pawl" in ASCII: keeps one program from taking another's database for its own.
    static let application: Int64 = 0x7061_776C

    /// What brings a database from one version to the next; the first makes it. They stay as they are for ever, for
    /// databases of every version are about.
    private static let migrations: [Migration] = [
        .sql(version1), .findingByLogin, .sql(registrations), .sql(stays), .findingByNumber, .sql(heads),
    ]

    private enum Migration {
        case sql(String)
        case findingByLogin
        case findingByNumber

        func run(on connection: Connection, _ seal: RecordSeal) throws(SQLiteFailure) {
            switch self {
            case .sql(let statements): try connection.execute(statements)
            case .findingByLogin: try FindingByLogin.migrate(connection)
            case .findingByNumber: try FindingByNumber.migrate(connection, seal)
            }
        }
    }

    static var version: Int64 { Int64(migrations.count) }

    /// Larger databases are not looked through at the start, which would take seconds: damage in them shows where it is.
    private static let bytesToCheck: Int64 = 64 << 20

    /// Makes it in a file that has nothing yet.
    static func make(_ connection: Connection, _ seal: RecordSeal) throws(SQLiteFailure) {
        try migrate(connection, from: 0, seal)
        try connection.execute("INSERT INTO seal (fingerprint) VALUES (\(seal.fingerprint))")
    }

    /// Sees whether a database is ours, sound, and of a version that is known, and brings it up to date.
    static func bringUpToDate(
        _ connection: Connection, _ path: String, _ seal: RecordSeal, _ tell: (StoreNotice) -> Void
    ) throws(SQLiteStoreError) {
        let found = try version(of: connection, path)
        let fingerprint = try asking(path) { () throws(SQLiteFailure) in
            try connection.integer("SELECT fingerprint FROM seal")
        }
        guard fingerprint == seal.fingerprint else { throw .ofAnotherSecret(path: path) }
        guard found < version else { return }
        tell(.updating(from: Int(found), to: Int(version)))
        try asking(path) { () throws(SQLiteFailure) in try migrate(connection, from: Int(found), seal) }
    }

    /// The version of a database, which is ours, sound, and known.
    @discardableResult
    static func version(of connection: Connection, _ path: String) throws(SQLiteStoreError) -> Int64 {
        let (application, found, bytes) = try asking(path) { () throws(SQLiteFailure) in
            (
                try connection.integer("PRAGMA application_id"), try connection.integer("PRAGMA user_version"),
                try connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size")
            )
        }
        guard application == Self.application else { throw .foreign(path: path) }
        guard found <= version else { throw .writtenByNewer(path: path, version: found, known: version) }
        guard found > 0 else { throw .damaged(path: path, reason: "the database has the version \(found)") }
        try requireTables(connection, path, version: found)
        guard bytes <= bytesToCheck else { return found }
        let finding = try asking(path) { () throws(SQLiteFailure) in try connection.text("PRAGMA quick_check(1)") }
        guard finding == "ok" else { throw .damaged(path: path, reason: "the database is damaged (\(finding))") }
        return found
    }

    private static func requireTables(
        _ connection: Connection, _ path: String, version: Int64
    ) throws(SQLiteStoreError) {
        let later =
            (version >= 3 ? ["registrations"] : []) + (version >= 4 ? ["stays"] : [])
            + (version >= 6 ? ["heads"] : [])
        for name in tablesOfVersion1 + ["counts", "seal"] + later {
            let count = try asking(path) { () throws(SQLiteFailure) in
                try connection.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '\(name)'")
            }
            guard count == 1 else { throw .damaged(path: path, reason: "the database has no table \(name)") }
        }
    }

    private static func asking<Result>(
        _ path: String, _ body: () throws(SQLiteFailure) -> Result
    ) throws(SQLiteStoreError) -> Result {
        do throws(SQLiteFailure) { return try body() } catch { throw SQLiteStoreError(error, path: path) }
    }

    /// All the steps that are missing, or none.
    private static func migrate(
        _ connection: Connection, from version: Int, _ seal: RecordSeal
    ) throws(SQLiteFailure) {
        try connection.run(.begin)
        do throws(SQLiteFailure) {
            for step in migrations[version...] { try step.run(on: connection, seal) }
            try connection.execute("PRAGMA application_id = \(application)")
            try connection.execute("PRAGMA user_version = \(migrations.count)")
            try connection.run(.commit)
        } catch {
            if connection.isInTransaction { _ = try? connection.run(.rollback) }
            throw error
        }
    }

    private static let tablesOfVersion1 = [
        "codes", "families", "logins", "access_tokens", "revoked_access_tokens", "spent", "pushed_requests", "devices",
        "user_codes", "consents", "interactions",
    ]

    private static let version1: String = {
        let statements = tablesOfVersion1.flatMap { name in
            [
                """
                CREATE TABLE \(name) (
                    tenant TEXT NOT NULL, key BLOB NOT NULL, record BLOB NOT NULL, forget INTEGER,
                    PRIMARY KEY (tenant, key)
                ) STRICT, WITHOUT ROWID
                """,
                "CREATE INDEX \(name)_forget ON \(name) (tenant, forget) WHERE forget IS NOT NULL",
            ]
        }
        let counts = """
            CREATE TABLE counts (
                tenant TEXT NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (tenant, name)
            ) STRICT, WITHOUT ROWID
            """
        // Of the secret that is beside the database.
        let seal = "CREATE TABLE seal (fingerprint INTEGER NOT NULL) STRICT"
        return (statements + [counts, seal]).joined(separator: ";\n")
    }()

    /// What has changed of records, and is not yet in their rows: see ``HeadJournal``.
    private static let heads = "CREATE TABLE heads (sequence INTEGER PRIMARY KEY, heads BLOB NOT NULL) STRICT"

    private static let stays = """
        CREATE TABLE stays (
            tenant TEXT NOT NULL, key BLOB NOT NULL, record BLOB NOT NULL, forget INTEGER,
            PRIMARY KEY (tenant, key)
        ) STRICT, WITHOUT ROWID
        """

    private static let registrations = """
        CREATE TABLE registrations (
            tenant TEXT NOT NULL, key BLOB NOT NULL, record BLOB NOT NULL, forget INTEGER,
            PRIMARY KEY (tenant, key)
        ) STRICT, WITHOUT ROWID
        """
}
