import IdentityProvider

/// Work for a thread that has what the work needs: a transaction, or a connection.
///
/// It belongs to its caller until it is handed over, then to the thread that does it, and to nobody after `answer`: it is
/// never used by two at once, which is why it may call itself Sendable.
class Job<Place>: @unchecked Sendable {
    /// Does it; may be asked again, for it is pure but for the place. Throws what SQLite says, and keeps every other
    /// outcome for the answer.
    func run(in place: Place) throws(SQLiteProblem) {}

    /// What is answered in place of an outcome.
    func fail(_ error: StoreError) {}

    /// Tells whoever waits. Asked once.
    func answer() {}
}

/// Work with an outcome of its own type.
final class Work<Place, Value: Sendable>: Job<Place>, @unchecked Sendable {
    typealias Body = (Place) throws(SQLiteFailure) -> Value

    private var body: Body?
    private var outcome: Result<Value, StoreError>?
    private let continuation: UnsafeContinuation<Result<Value, StoreError>, Never>

    init(_ body: @escaping Body, continuation: UnsafeContinuation<Result<Value, StoreError>, Never>) {
        self.body = body
        self.continuation = continuation
    }

    override func run(in place: Place) throws(SQLiteProblem) {
        guard let body else { return }
        do throws(SQLiteFailure) {
            outcome = .success(try body(place))
        } catch {
            switch error {
            case .database(let problem): throw problem
            case .refused(let error): outcome = .failure(error)
            }
        }
    }

    override func fail(_ error: StoreError) { outcome = .failure(error) }

    override func answer() {
        // The caller's closure does not outlive its call: it goes before anybody is told.
        body = nil
        continuation.resume(returning: outcome ?? .failure(.unavailable(reason: "the store is closed")))
    }
}
