import IdentityProvider

/// Works through what waits to be written, on a thread of its own: all that has come meanwhile is one transaction and one
/// sync, and nobody is answered before it is on the disk.
final class Writer {
    typealias Queue = JobQueue<Transaction>

    private let path: String
    private var transaction: Transaction?

    /// Pieces of work in one transaction at most, so that the first of them does not wait for ever.
    private static let largestGroup = 1024

    private let databaseBytes: Int64?
    private let statistics: StoreStatistics
    private let logCare: LogCare

    /// - Parameter transaction: of the connection to begin with.
    init(
        _ path: String, databaseBytes: Int64?, transaction: Transaction, statistics: StoreStatistics, logCare: LogCare
    ) {
        self.statistics = statistics
        self.logCare = logCare
        self.path = path
        self.databaseBytes = databaseBytes
        self.transaction = transaction
    }

    func serve(_ queue: Queue) {
        while let jobs = queue.take(limit: Self.largestGroup) {
            commit(jobs)
            statistics.note(jobs.count)
            for job in jobs { job.answer() }
            if let transaction { logCare.takeCare(after: transaction) }
        }
        // Closed here, and not when somebody lets go of the writer: whoever waits for the thread waits for its files.
        transaction = nil
    }

    /// Does them together. Where SQLite fails, nothing has happened, and each is tried by itself: what ails one of them
    /// does not ail the others.
    private func commit(_ jobs: [Job<Transaction>]) {
        guard let problem = attempt(jobs) else { return }
        guard jobs.count > 1, !problem.ailsEverything else { return fail(jobs, problem) }
        for job in jobs {
            if let problem = attempt([job]) { fail([job], problem) }
        }
    }

    private func fail(_ jobs: [Job<Transaction>], _ problem: SQLiteProblem) {
        for job in jobs { job.fail(.unavailable(reason: problem.description)) }
    }

    private func attempt(_ jobs: [Job<Transaction>]) -> SQLiteProblem? {
        do throws(SQLiteFailure) {
            let transaction = try open()
            try transaction.begin()
            do throws(SQLiteProblem) { for job in jobs { try job.run(in: transaction) } } catch {
                throw .database(error)
            }
            try transaction.commit()
            return nil
        } catch {
            transaction?.rollBack()
            guard case .database(let problem) = error else { return nil }
            // It is opened again when somebody next asks for something: the cause may be gone by then.
            if problem.spoilsConnection { transaction = nil }
            return problem
        }
    }

    private func open() throws(SQLiteFailure) -> Transaction {
        if let transaction { return transaction }
        let opened = try Transaction(Connection(path, for: .writing, limitedTo: databaseBytes))
        transaction = opened
        return opened
    }
}
