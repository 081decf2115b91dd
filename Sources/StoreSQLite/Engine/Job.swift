import IdentityProvider

/// Work for a thread that has what the work needs: a transaction, or a connection.
///
/// It belongs to its caller until it is handed over, then to the thread that does it, then to whoever tells of it, and to
/// nobody after `answer`: it is never used by two at once, which is why it may call itself Sendable.
class Job<Place>: @unchecked Sendable {
    /// Does it; may be asked again, for it is pure but for the place. Throws what SQLite says, and keeps every other
    /// outcome for the answer.
    func run(in place: Place) throws(SQLiteProblem) {}

    /// What is answered in place of an outcome.
    func fail(_ error: StoreError) {}

    /// Tells whoever waits. Asked once.
    ///
    /// - Parameter others: tells others; to be called once, by whoever was told.
    func answer(telling others: Answer.Others?) { others?() }

    /// Tells all who wait. The first of them tells the others when he goes on. Where they share a thread, it is woken once
    /// for all of them: told from here, on one core, it takes the core at once, and sleeps again before the next is told.
    static func answer(_ jobs: [Job]) {
        guard let first = jobs.first else { return }
        guard jobs.count > 1 else { return first.answer(telling: nil) }
        first.answer { for job in jobs.dropFirst() { job.answer(telling: nil) } }
    }
}

/// What somebody is told who has waited for work.
struct Answer: Sendable {
    typealias Others = @Sendable () -> Void

    /// Why it could not be done; `nil`: it is done.
    let failure: StoreError?
    /// Tells others who have waited: to be called before anything else is done.
    let others: Others?
}

/// Work that somebody waits for. What it finds its closure keeps, so that work of every outcome is of one type: types that are
/// made while the server runs are looked for at each step.
final class Work<Place>: Job<Place>, @unchecked Sendable {
    typealias Body = (Place) throws(SQLiteFailure) -> Void

    private var body: Body?
    private var failure: StoreError? = .unavailable(reason: "the store is closed")
    private let continuation: UnsafeContinuation<Answer, Never>

    init(_ body: @escaping Body, continuation: UnsafeContinuation<Answer, Never>) {
        self.body = body
        self.continuation = continuation
    }

    override func run(in place: Place) throws(SQLiteProblem) {
        guard let body else { return }
        do throws(SQLiteFailure) {
            try body(place)
            failure = nil
        } catch {
            switch error {
            case .database(let problem): throw problem
            case .refused(let error): failure = error
            }
        }
    }

    override func fail(_ error: StoreError) { failure = error }

    override func answer(telling others: Answer.Others?) {
        // The caller's closure does not outlive its call: it goes before anybody is told.
        body = nil
        continuation.resume(returning: Answer(failure: failure, others: others))
    }
}
