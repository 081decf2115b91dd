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
    private let lock: DirectoryLock
    private let limits: StoreLimits
    /// The file of the database.
    package let path: String
    package let statistics = StoreStatistics()

    private static let readerCount = 2

    /// Opens the database in a directory, and makes both where they are not there. Looks whether it is sound, and brings
    /// one of an older program up to date.
    package init(_ lock: DirectoryLock, limits: StoreLimits = .onDisk) throws(SQLiteStoreError) {
        self.lock = lock
        self.limits = limits
        path = lock.directory + "/" + Self.fileName
        try DatabaseFile.prepare(path)
        let transaction: Transaction
        do throws(SQLiteFailure) {
            transaction = try Transaction(Connection(path, for: .writing, limitedTo: limits.databaseBytes))
        } catch {
            throw SQLiteStoreError(error, path: path)
        }
        try start(transaction)
    }

    /// The name of the database in its directory.
    package static let fileName = "pawl.db"

    private func start(_ transaction: Transaction) throws(SQLiteStoreError) {
        let path = path
        // It is handed over to the thread, and nobody else has it.
        nonisolated(unsafe) let writer = Writer(
            path, databaseBytes: limits.databaseBytes, transaction: transaction, statistics: statistics,
            logCare: LogCare(checkpoints))
        var isRunning = writes.startThread { writer.serve($0) }
        for _ in 0..<Self.readerCount where isRunning {
            isRunning = reads.startThread { Reader(path).serve($0) }
        }
        if isRunning {
            isRunning = checkpoints.startThread { Reader(path, for: .checkpointing).serve($0) }
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

    /// Answers what waits, and lets go of the files. Waits for the disk.
    package func close() {
        reads.close()
        checkpoints.close()
        writes.close()
        reads.waitForThreads()
        checkpoints.waitForThreads()
        writes.waitForThreads()
        lock.release()
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
        try await Self.submit(body, to: writes)
    }

    func read<Value: Sendable>(
        _ body: (Connection) throws(SQLiteFailure) -> Value
    ) async throws(StoreError) -> Value {
        try await Self.submit(body, to: reads)
    }

    private static func submit<Place, Value: Sendable>(
        _ body: (Place) throws(SQLiteFailure) -> Value, to queue: JobQueue<Place>
    ) async throws(StoreError) -> Value {
        // The thread lets go of the closure before it answers: see `Work`.
        let outcome = await withoutActuallyEscaping(body) { body in
            await withUnsafeContinuation { continuation in
                let job = Work(body, continuation: continuation)
                guard !queue.add(job) else { return }
                job.fail(.unavailable(reason: "it is closed, or too much waits for it"))
                job.answer()
            }
        }
        return try outcome.get()
    }
}
