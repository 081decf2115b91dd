import CSQLite

/// A connection to the database, for one thread at a time.
final class Connection {
    private let database: OpaquePointer
    /// Each at the number of its query.
    private var statements: [Statement?] = []
    /// Where SQLite says how long the log is.
    private let pages = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

    /// How it is opened.
    enum Access {
        case writing
        /// Beside a writer.
        case reading
        /// To take the log into the database, beside a writer.
        case checkpointing
        /// For a look at a database that somebody else may be writing.
        case lookingOnly
    }

    /// How long SQLite waits for a lock of another process's.
    private static let patienceInMilliseconds: Int32 = 2000
    /// What is left of the log's file after that, in bytes.
    private static let longestLog = 64 << 20
    /// Of the database's pages, what a connection keeps, in KiB.
    private static let cacheSize = 4 << 10

    /// Nobody asks SQLite how much memory it has. Whoever has used it in this process before has settled that: then it counts.
    private static let leaveMemoryUncounted: Void = { _ = pawl_sqlite_leave_memory_uncounted() }()

    /// - Parameter bytes: what the database may have at most; `nil`: as many as the disk has.
    init(_ path: String, for access: Access, limitedTo bytes: Int64? = nil) throws(SQLiteFailure) {
        Self.leaveMemoryUncounted
        let flags = access == .lookingOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(
            path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW, nil)
        guard code == SQLITE_OK, let opened else {
            let problem = SQLiteProblem(opened, code: code)
            sqlite3_close_v2(opened)
            pages.deallocate()
            throw .database(problem)
        }
        database = opened
        pages.initialize(to: 0)
        sqlite3_busy_timeout(database, Self.patienceInMilliseconds)
        // What was opened is closed by `deinit` from here on.
        let defended = pawl_sqlite_defend(database)
        guard defended == SQLITE_OK else { throw .database(SQLiteProblem(database, code: defended)) }
        try configure(for: access)
        if let bytes {
            let pages = max(1, bytes / (try integer("PRAGMA page_size")))
            _ = try integer("PRAGMA max_page_count = \(pages)")
        }
    }

    deinit {
        for statement in statements { sqlite3_finalize(statement?.handle) }
        sqlite3_close_v2(database)
        pages.deallocate()
    }

    private func configure(for access: Access) throws(SQLiteFailure) {
        try execute("PRAGMA cache_size = -\(Self.cacheSize)")
        // Who only looks may still write a copy of what he sees, and cannot write anything else.
        guard access != .lookingOnly else { return }
        guard access != .reading else { return try execute("PRAGMA query_only = ON") }
        // Each commit is on the disk before anybody hears of it, and before it leaves the log.
        try execute("PRAGMA synchronous = FULL")
        if access == .writing { try configureForWriting() }
    }

    private func configureForWriting() throws(SQLiteFailure) {
        // Readers go on while somebody writes, and a commit is one write to one file.
        let mode = try text("PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw .database(
                SQLiteProblem(code: SQLITE_CANTOPEN, text: "its file system allows no write-ahead log, but \(mode)"))
        }
        // In place of checkpoints by SQLite itself: see `LogCare`.
        sqlite3_wal_hook(
            database,
            { pages, _, _, count in
                pages?.assumingMemoryBound(to: Int32.self).pointee = count
                return SQLITE_OK
            }, pages)
        try execute("PRAGMA journal_size_limit = \(Self.longestLog)")
        try execute("PRAGMA foreign_keys = ON")
    }
}

// MARK: - Statements by the way

extension Connection {
    /// Runs statements without parameters and without an answer.
    func execute(_ sql: String) throws(SQLiteFailure) {
        let code = sqlite3_exec(database, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw .database(SQLiteProblem(database, code: code)) }
    }

    /// The first column of the first row.
    func text(_ sql: String) throws(SQLiteFailure) -> String {
        try once(sql) { statement throws(SQLiteFailure) in try statement.step() ? statement.text(0) : "" }
    }

    func integer(_ sql: String) throws(SQLiteFailure) -> Int64 {
        try once(sql) { statement throws(SQLiteFailure) in try statement.step() ? statement.integer(0) : 0 }
    }

    func once<Result>(
        _ sql: String, _ values: [SQLiteValue] = [], _ body: (Statement) throws(SQLiteFailure) -> Result
    ) throws(SQLiteFailure) -> Result {
        let statement = try Statement(sql, on: database)
        defer { sqlite3_finalize(statement.handle) }
        try statement.bind(values)
        return try body(statement)
    }
}

// MARK: - The log

extension Connection {
    /// Pages in the log, after the last commit of this connection.
    var pagesInLog: Int { Int(pages.pointee) }

    /// Takes what is in the log into the database, as far as nobody needs it where it is. Waits for nobody. What it cannot do
    /// now stays in the log, where it is as safe.
    ///
    /// - Parameter emptyingLog: waits for those who read, and cuts the log off.
    func checkpoint(emptyingLog: Bool = false) {
        let mode = emptyingLog ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        sqlite3_wal_checkpoint_v2(database, nil, mode, nil, nil)
    }

    /// Puts on the disk what checkpoints have written to the database. SQLite itself does when all of the log is in it, which
    /// it never is beside somebody who writes: the last checkpoint, which is his, would wait for the disk for all. Should
    /// it fail, that one fails too, and the log stays.
    func syncDatabase() { _ = pawl_sqlite_sync(database) }
}

extension Connection {
    /// Commits a page as it is. It goes to where the last commit ended, in the place of what failed to be one, and what is left
    /// of that behind it does not fit any more: each frame has a checksum over all before it (SQLite's file format, section
    /// 4.2).
    func overwriteEndOfLog() throws(SQLiteFailure) {
        do throws(SQLiteFailure) { return try writeVersion() } catch {
            // The disk still fails to sync. What is written to the file is enough for whoever opens it next, unless the
            // power fails too.
            try execute("PRAGMA synchronous = OFF")
            do throws(SQLiteFailure) { try writeVersion() } catch {
                try execute("PRAGMA synchronous = FULL")
                throw error
            }
            try execute("PRAGMA synchronous = FULL")
        }
    }

    /// Writes a page as it is.
    func writeVersion() throws(SQLiteFailure) {
        try execute("PRAGMA user_version = \(try integer("PRAGMA user_version"))")
    }
}

// MARK: - Records

extension Connection {
    /// A way to the records of a table, to be closed before the end of each transaction.
    func recordsInPlace(of table: String) -> RecordsInPlace { RecordsInPlace(of: table, on: database) }
}

// MARK: - Functions

extension Connection {
    /// Lets statements call a function of two blobs, which gives a number.
    func define(_ name: String, _ body: @escaping ([UInt8], [UInt8]) -> Int64) throws(SQLiteFailure) {
        let code = sqlite3_create_function_v2(
            database, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
            Unmanaged.passRetained(Function(body)).toOpaque(),
            { context, _, values in
                let function = Unmanaged<Function>.fromOpaque(sqlite3_user_data(context)).takeUnretainedValue()
                guard let values else { return }
                let number = function.body(Function.bytes(values[0]), Function.bytes(values[1]))
                sqlite3_result_int64(context, number)
            }, nil, nil,
            // Asked when it is replaced, when the connection is closed, and when it could not be made.
            { function in Unmanaged<Function>.fromOpaque(function!).release() })
        guard code == SQLITE_OK else { throw .database(SQLiteProblem(database, code: code)) }
    }

    private final class Function {
        let body: ([UInt8], [UInt8]) -> Int64

        init(_ body: @escaping ([UInt8], [UInt8]) -> Int64) {
            self.body = body
        }

        static func bytes(_ value: OpaquePointer?) -> [UInt8] {
            guard let start = sqlite3_value_blob(value) else { return [] }
            return Array(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        }
    }
}

// MARK: - Prepared statements

extension Connection {
    /// Runs a statement that is kept for the next time.
    func with<Result>(
        _ query: Query, _ values: [SQLiteValue], _ body: (Statement) throws(SQLiteFailure) -> Result
    ) throws(SQLiteFailure) -> Result {
        let statement = try prepared(query)
        defer { statement.reset() }
        try statement.bind(values)
        return try body(statement)
    }

    /// Runs a statement that changes something. The number of rows that it changed.
    @discardableResult
    func run(_ query: Query, _ values: [SQLiteValue] = []) throws(SQLiteFailure) -> Int {
        try with(query, values) { statement throws(SQLiteFailure) in _ = try statement.step() }
        return Int(sqlite3_changes(database))
    }

    private func prepared(_ query: Query) throws(SQLiteFailure) -> Statement {
        if query.number < statements.count, let statement = statements[query.number] { return statement }
        let statement = try Statement(query.sql, on: database)
        while statements.count <= query.number { statements.append(nil) }
        statements[query.number] = statement
        return statement
    }

    /// Whether a transaction has been begun and is still there.
    var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }
}
