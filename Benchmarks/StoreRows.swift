import CSQLite
import Glibc
import IdentityProvider
import OAuth
import Primitives
import StoreSQLite

/// Families in a database on the disk, and what SQLite does with the same rows when nothing is around it.
enum StoreRows {
    static let names = [commits, commitsInPlace, "sqlite-rotations", "sqlite-fill", "sqlite-tokens"]
    static let commits = "sqlite-commits"
    static let commitsInPlace = "sqlite-commits-in-place"

    /// What is written where.
    struct Order {
        var directory = ""
        /// Changes in one transaction: the mean, which need not be whole.
        var group = 1.0
        var families = 1_000
        /// So many ask at the same time.
        var clients = 32
        /// So many refresh tokens are told.
        var tokens = 1_000
    }

    struct Failure: Error {
        let text: String
    }
}

// MARK: - The limit

extension StoreRows {
    /// How many rows of families SQLite changes in a second of the clock, so many in a transaction and each of these on the
    /// disk before the next begins: with the settings and in a copy of the database that the server has, by one thread
    /// and without any wait for others. The settings are those of `Connection`, and of `LogCare`.
    ///
    /// - Parameter inPlace: whether each is written where it lies, as a BLOB, and not by a statement. That takes less where many
    ///   share a transaction, and more where few do.
    static func commits(_ order: Order, seconds: Double, inPlace: Bool) throws -> Measurement {
        _ = pawl_sqlite_leave_memory_uncounted()
        var opened: OpaquePointer?
        try check(sqlite3_open(order.directory + "/" + SQLiteEngine.fileName, &opened), opened)
        let database = opened!
        defer { sqlite3_close(database) }
        let settings =
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 6000; "
            + "PRAGMA cache_size = -4096"
        try check(sqlite3_exec(database, settings, nil, nil, nil), database)
        let rows = try rows(of: database)
        guard !rows.isEmpty else { throw Failure(text: "there are no families in \(order.directory)") }
        let update = try prepare("UPDATE families SET record = ?2 WHERE number = ?1", database)
        let (begin, commit) = (try prepare("BEGIN IMMEDIATE", database), try prepare("COMMIT", database))
        defer { for statement in [update, begin, commit] { sqlite3_finalize(statement) } }
        let random = SeededRandom(seed: 3)
        // Where a loop of requests would come to each family in turn.
        var (next, changed, owed) = (0, 0, 0.0)
        let start = now()
        while now() < start + seconds {
            try step(begin, database)
            owed += order.group
            let count = max(1, Int(owed))
            owed -= Double(count)
            var blob: OpaquePointer?
            defer { sqlite3_blob_close(blob) }
            for _ in 0..<count {
                let row = rows[next]
                next = (next + 1) % rows.count
                let record = random.bytes(row.recordByteCount)
                if inPlace {
                    try write(record, to: row, by: &blob, database)
                } else {
                    sqlite3_bind_int64(update, 1, row.number)
                    _ = record.withUnsafeBytes { pawl_sqlite_bind_blob(update, 2, $0.baseAddress, Int32($0.count)) }
                    try step(update, database)
                }
            }
            sqlite3_blob_close(blob)
            blob = nil
            try step(commit, database)
            changed += count
        }
        return Measurement(
            name: inPlace ? commitsInPlace : commits, perSecond: Double(changed) / (now() - start))
    }

    private static func write(
        _ record: [UInt8], to row: Row, by blob: inout OpaquePointer?, _ database: OpaquePointer
    ) throws {
        if blob == nil {
            try check(sqlite3_blob_open(database, "main", "families", "record", row.number, 1, &blob), database)
        } else {
            try check(sqlite3_blob_reopen(blob, row.number), database)
        }
        try check(sqlite3_blob_write(blob, record, Int32(record.count), 0), database)
    }

    private struct Row {
        let number: Int64
        let recordByteCount: Int
    }

    private static func rows(of database: OpaquePointer) throws -> [Row] {
        let select = try prepare(
            "SELECT number, length(record) FROM families WHERE tenant = '' ORDER BY random() LIMIT 20000", database)
        defer { sqlite3_finalize(select) }
        var rows: [Row] = []
        while sqlite3_step(select) == SQLITE_ROW {
            let number = sqlite3_column_int64(select, 0)
            rows.append(Row(number: number, recordByteCount: Int(sqlite3_column_int(select, 1))))
        }
        return rows
    }

    private static func prepare(_ sql: String, _ database: OpaquePointer) throws -> OpaquePointer {
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(database, sql, -1, &statement, nil), database)
        return statement!
    }

    private static func step(_ statement: OpaquePointer, _ database: OpaquePointer) throws {
        let code = sqlite3_step(statement)
        sqlite3_reset(statement)
        guard code == SQLITE_DONE else { return try check(code, database) }
    }

    private static func check(_ code: Int32, _ database: OpaquePointer?) throws {
        guard code != SQLITE_OK else { return }
        throw Failure(text: database.map { String(cString: sqlite3_errmsg($0)) } ?? "SQLite says \(code)")
    }

    static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

// MARK: - A directory with families

extension StoreRows {
    static let secret = Secret([UInt8](repeating: 7, count: 32))

    /// Makes a directory that `pawl serve --data` takes for its own, with families of the standard client.
    static func fill(_ order: Order) async throws {
        let engine = try SQLiteEngine(DirectoryLock(order.directory), seal: RecordSeal(secret: secret))
        defer { engine.close() }
        try write(secret.withBytes { Base64URL.encode(Array($0)) } + "\n", to: order.directory + "/secret")
        let random = SeededRandom(seed: 7)
        let scope = try Scope(parsing: "profile offline_access")
        let began = SystemWallClock().now()
        let store = engine.store()
        var left = order.families
        while left > 0 {
            let count = min(left, 4_096)
            let families = (0..<count).map { _ in
                var family = Family(
                    FamilyTerms(
                        id: FamilyID(from: random), clientID: StandardClients.serviceID, userID: "alice", scope: scope,
                        loginID: LoginID(random.identifier()),
                        authentication: Authentication(at: began, methods: ["pwd"]), began: began,
                        expires: began + .seconds(86_400)))
                family.rotation.begin(at: began)
                return family
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for family in families { group.addTask { try await store.keep(family) } }
                try await group.waitForAll()
            }
            left -= count
        }
    }

    /// The refresh tokens of some families of such a directory, at random, that are good now. A server may have it open.
    static func tokens(_ order: Order) throws -> [String] {
        let codec = RefreshTokenCodec(secret: ProviderSecrets(master: secret).derived(for: "refresh tokens"))
        let snapshot = try DatabaseSnapshot(directory: order.directory, seal: RecordSeal(secret: secret))
        let random = SystemRandom()
        var found: [FamilyID: String] = [:]
        // Those that are hard to come by are left out: some come twice.
        for _ in 0..<order.tokens * 8 where found.count < order.tokens {
            let number = Int64(bitPattern: random.bytes(8).reduce(0) { $0 << 8 | UInt64($1) })
            if let family = try snapshot.family(from: number) {
                found[family.id] = codec.token(of: family.id, node: family.rotation.current)
            }
        }
        return Array(found.values)
    }

    private static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(text: "cannot write \(path)") }
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
            throw Failure(text: "cannot write \(path)")
        }
    }
}
