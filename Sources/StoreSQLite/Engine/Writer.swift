import IdentityProvider

/// Works through what waits to be written, on a thread of its own: all that has come meanwhile is one transaction and one
/// sync, and nobody is answered before it is on the disk.
final class Writer {
    typealias Queue = JobQueue<Transaction>

    private let path: String
    private let identity: FileIdentity
    private var transaction: Transaction?

    /// Pieces of work in one transaction at most, so that the first of them does not wait for ever.
    private static let largestGroup = 1024

    private let databaseBytes: Int64?
    private let journal: HeadJournal
    private let statistics: StoreStatistics
    private let health: StoreHealth
    private let logCare: LogCare

    /// - Parameter transaction: of the connection to begin with.
    init(
        _ path: String, _ identity: FileIdentity, databaseBytes: Int64?, transaction: Transaction,
        statistics: StoreStatistics, health: StoreHealth, logCare: LogCare
    ) {
        self.identity = identity
        self.health = health
        self.statistics = statistics
        self.logCare = logCare
        self.path = path
        self.databaseBytes = databaseBytes
        journal = transaction.journal
        self.transaction = transaction
    }

    func serve(_ queue: Queue) {
        while let jobs = queue.take(limit: Self.largestGroup) {
            commit(jobs)
            statistics.note(jobs.count)
            Job.answer(jobs)
            if let transaction { logCare.takeCare(after: transaction) }
            // On one core, whoever was told mostly goes on first: what he asks for next is in the next group then.
            if queue.isBusy { StoreThread.letOthersRun() }
        }
        // Closed here, and not when somebody lets go of the writer: whoever waits for the thread waits for its files.
        transaction = nil
    }

    /// Does them together. Where SQLite fails, nothing has happened, and each is tried by itself: what ails one of them
    /// does not ail the others.
    private func commit(_ jobs: [Job<Transaction>]) {
        var problem = attemptWithoutDetours(jobs)
        defer { health.note(problem) }
        // The log has a page as often as it was changed, and the database has it once.
        if problem?.isFull == true, let transaction {
            transaction.connection.checkpoint(emptyingLog: true)
            problem = attemptWithoutDetours(jobs)
        }
        // The journal takes room, and need not, if there is enough to put everything in its place.
        let isShort = problem?.isFull == true
        if isShort {
            journal.mayEmptyAgain()
            journal.empty()
            problem = attemptWithoutDetours(jobs)
        }
        guard let first = problem else { return }
        guard jobs.count > 1, !first.ailsEverything else { return fail(jobs, first) }
        for job in jobs {
            if isShort { journal.empty() }
            problem = attemptWithoutDetours([job])
            if let problem { fail([job], problem) }
        }
    }

    /// What fails may be the others' heads on their way to their places: they can wait, and what was asked for is tried without
    /// them.
    private func attemptWithoutDetours(_ jobs: [Job<Transaction>]) -> SQLiteProblem? {
        var passedOver = journal.slicesPassedOver
        var problem = attempt(jobs)
        while problem != nil, journal.slicesPassedOver > passedOver {
            passedOver = journal.slicesPassedOver
            problem = attempt(jobs)
        }
        return problem
    }

    private func fail(_ jobs: [Job<Transaction>], _ problem: SQLiteProblem) {
        for job in jobs { job.fail(.unavailable(reason: problem.description)) }
    }

    private func attempt(_ jobs: [Job<Transaction>]) -> SQLiteProblem? {
        do throws(SQLiteFailure) {
            try requireFile()
            let transaction = try open()
            try transaction.mendLog()
            try transaction.begin()
            do throws(SQLiteProblem) { for job in jobs { try job.run(in: transaction) } } catch {
                throw .database(error)
            }
            try transaction.commit()
            // Or nobody finds it when the server has ended.
            try requireFile()
            return nil
        } catch {
            transaction?.rollBack()
            // Before anybody is told. Where it fails, the connection stays, for it alone knows where the log ends, and nothing
            // is written before that is mended.
            _ = try? transaction?.mendLog()
            guard case .database(let problem) = error else { return nil }
            // It is opened again when somebody next asks for something: the cause may be gone by then.
            if problem.spoilsConnection, transaction?.isLogSpoilt != true { transaction = nil }
            return problem
        }
    }

    private func requireFile() throws(SQLiteFailure) {
        guard FileIdentity(of: path) == identity else { throw .database(.replaced) }
    }

    private func open() throws(SQLiteFailure) -> Transaction {
        if let transaction { return transaction }
        let opened = try Transaction(Connection(path, for: .writing, limitedTo: databaseBytes), journal)
        transaction = opened
        return opened
    }
}
