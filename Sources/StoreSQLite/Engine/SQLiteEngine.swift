import IdentityProvider
import Primitives

/// A database on the disk, and the threads that work on it. One process has it at a time.
///
///     let engine = try SQLiteEngine(DirectoryLock("./data"))
///     let store = engine.store()                          // of the provider at the root
///     let other = engine.store(of: "acme")                // of a tenant
///
/// All tenants share one database, each row naming its own: so they share each sync too, and one copy has all of them.
package final class SQLiteEngine: Sendable {
    private let writes = Writer.Queue()
    private let reads = Reader.Queue()
    private let checkpoints = Reader.Queue()
    let heads = WaitingHeads()
    private let lock: DirectoryLock
    private let limits: StoreLimits
    private let writeBack: WriteBack
    let health: StoreHealth
    let seal: RecordSeal
    private let identity: FileIdentity
    /// The file of the database.
    package let path: String
    package let statistics = StoreStatistics()

    private static let readerCount = 2

    /// Opens the database in a directory, and makes both where they are not there. Looks whether it is sound, and brings
    /// one of an older program up to date.
    ///
    /// - Parameters:
    ///   - seal: of its records. One that was made with another is refused.
    ///   - journalBytes: what is written to the journal until all that was there before is where it belongs.
    ///   - tell: hears what is of interest to whoever runs the server.
    package init(
        _ lock: DirectoryLock, limits: StoreLimits = .onDisk, seal: RecordSeal = RecordSeal(),
        journalBytes: Int = FoldingHand.usualBytesPerRound,
        tell: @escaping @Sendable (StoreNotice) -> Void = { _ in }
    ) throws(SQLiteStoreError) {
        self.lock = lock
        self.limits = limits
        self.seal = seal
        health = StoreHealth(statistics, tell)
        path = lock.directory + "/" + Self.fileName
        try DatabaseFile.prepare(path, seal, tell)
        guard let identity = FileIdentity(of: path) else { throw .missing(path: path) }
        self.identity = identity
        writeBack = WriteBack(of: path)
        let transaction: Transaction
        do throws(SQLiteFailure) {
            let connection = try Connection(path, for: .writing, limitedTo: limits.databaseBytes)
            transaction = try Transaction(
                connection, HeadJournal(on: connection, heads, seal, bytesPerRound: journalBytes))
        } catch {
            throw SQLiteStoreError(error, path: path)
        }
        try start(transaction)
    }

    /// The name of the database in its directory.
    package static let fileName = "pawl.db"

    /// Whether there is no database at a path, and one may be made there. For whoever has the directory for himself.
    package static func isMissing(_ path: String) throws(SQLiteStoreError) -> Bool { try DatabaseFile.isMissing(path) }

    private func start(_ transaction: Transaction) throws(SQLiteStoreError) {
        let (path, identity, heads) = (path, identity, heads)
        // It is handed over to the thread, and nobody else has it.
        nonisolated(unsafe) let writer = Writer(
            path, identity, databaseBytes: limits.databaseBytes, transaction: transaction, statistics: statistics,
            health: health, logCare: LogCare(checkpoints, writeBack))
        var isRunning = writes.startThread { writer.serve($0) }
        for _ in 0..<Self.readerCount where isRunning {
            isRunning = reads.startThread { Reader(path, identity, heads).serve($0) }
        }
        if isRunning {
            isRunning = checkpoints.startThread { Reader(path, identity, nil, for: .checkpointing).serve($0) }
        }
        guard isRunning else {
            close()
            throw .file("cannot start a thread")
        }
    }

    deinit {
        writes.close()
        reads.close()
        checkpoints.close()
    }

    /// Does what waits, and lets go of the files. Waits for the disk.
    package func close() {
        reads.close()
        checkpoints.close()
        writeBack.hurry()
        reads.waitForThreads()
        checkpoints.waitForThreads()
        // The last to close a database takes its log in. Of several at once, none may be the last.
        writes.close()
        writes.waitForThreads()
        // After SQLite's own, and before anybody else can open it.
        writeBack.close()
        lock.release()
    }

    /// Whether it works: as far as the last change tells, and where that failed, whether one is possible now.
    package func isWorking() async -> Bool {
        guard FileIdentity(of: path) == identity else { return false }
        guard !health.isWorking else { return true }
        return await (try? write { transaction throws(SQLiteFailure) in try transaction.connection.writeVersion() })
            != nil
    }

    /// What one provider remembers; the one at the root, without a name.
    package func store(of tenant: String = "") -> SQLiteStore {
        SQLiteStore(engine: self, tenant: tenant, limits: limits)
    }
}

// MARK: - Work

extension SQLiteEngine {
    /// Has `body` run by the writer, among others. What it returns is on the disk.
    func write<Value: Sendable>(
        _ body: (Transaction) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        var found: Value?
        let failure = await Self.failure(of: { place throws(SQLiteFailure) in found = try body(place) }, in: writes)
        return try Self.outcome(found, failure)
    }

    func read<Value: Sendable>(
        _ body: (Connection) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        var found: Value?
        let failure = await Self.failure(of: { place throws(SQLiteFailure) in found = try body(place) }, in: reads)
        return try Self.outcome(found, failure)
    }

    private static func outcome<Value>(_ found: Value?, _ failure: StoreError?) throws(StoreError) -> Value {
        if let failure { throw failure }
        guard let found else { preconditionFailure("work that is done has found something") }
        return found
    }

    /// - Returns: why it could not be done; `nil`: it is done.
    private static func failure<Place>(of body: Work<Place>.Body, in queue: JobQueue<Place>) async -> StoreError? {
        // The thread lets go of the closure before it answers: see `Work`.
        let answer = await withoutActuallyEscaping(body) { body in
            await withUnsafeContinuation { continuation in
                let job = Work(body, continuation: continuation)
                guard !queue.add(job) else { return }
                job.fail(.unavailable(reason: "it is closed, or too much waits for it"))
                job.answer(telling: nil)
            }
        }
        answer.others?()
        return answer.failure
    }
}
