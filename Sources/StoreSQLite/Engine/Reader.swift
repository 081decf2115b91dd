import IdentityProvider

/// Reads on a thread of its own, beside the writer and beside others. What it finds is what was committed when it was
/// asked, or later.
final class Reader {
    typealias Queue = JobQueue<Connection>

    private let path: String
    private let identity: FileIdentity
    /// `nil`: it looks at no record.
    private let heads: WaitingHeads?
    private let access: Connection.Access
    private var connection: Connection?

    /// Look-ups that share a transaction, so that SQLite looks for news once.
    private static let largestGroup = 16

    init(
        _ path: String, _ identity: FileIdentity, _ heads: WaitingHeads?, for access: Connection.Access = .reading
    ) {
        self.identity = identity
        self.path = path
        self.heads = heads
        self.access = access
    }

    func serve(_ queue: Queue) {
        while let jobs = queue.take(limit: Self.largestGroup) {
            // Where one of them cannot be done, the others still can.
            if attempt(jobs) != nil { for job in jobs { readAlone(job) } }
            Job.answer(jobs)
        }
        connection = nil
    }

    private func readAlone(_ job: Job<Connection>) {
        if let problem = attempt([job]) { job.fail(.unavailable(reason: problem.description)) }
    }

    private func attempt(_ jobs: [Job<Connection>]) -> SQLiteProblem? {
        let reading = heads?.beginReading()
        defer { if let reading { heads?.end(reading) } }
        do throws(SQLiteFailure) {
            let connection = try open()
            if jobs.count > 1 { try connection.run(.beginReading) }
            do throws(SQLiteProblem) { for job in jobs { try job.run(in: connection) } } catch {
                throw .database(error)
            }
            if jobs.count > 1 { try connection.run(.commit) }
            return nil
        } catch {
            if let connection, connection.isInTransaction { _ = try? connection.run(.rollback) }
            guard case .database(let problem) = error else { return nil }
            if problem.spoilsConnection { connection = nil }
            return problem
        }
    }

    private func open() throws(SQLiteFailure) -> Connection {
        if let connection { return connection }
        guard FileIdentity(of: path) == identity else { throw .database(.replaced) }
        let opened = try Connection(path, for: access)
        connection = opened
        return opened
    }
}
