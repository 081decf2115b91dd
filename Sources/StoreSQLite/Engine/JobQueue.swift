#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Hands work to threads that wait for it.
final class JobQueue<Place>: @unchecked Sendable {
    // All below is used under the lock only, which is why this class may call itself Sendable.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var waiting: [Job<Place>] = []
    private var sleepers = 0
    private var threads = 0
    private var isClosed = false

    /// Pieces of work that wait at once: more are refused, and their callers may come again.
    private static var longest: Int { 65_536 }

    init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(arrival, nil)
    }

    deinit {
        pthread_cond_destroy(arrival)
        pthread_mutex_destroy(lock)
        arrival.deallocate()
        lock.deallocate()
    }

    /// `false`: it is closed, or too much waits.
    func add(_ job: Job<Place>) -> Bool {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        guard !isClosed, waiting.count < Self.longest else { return false }
        waiting.append(job)
        // Whoever was woken for the first that waits takes the others too.
        if sleepers > 0, waiting.count == 1 { pthread_cond_signal(arrival) }
        return true
    }

    /// What waits, up to `limit` of it, and waits for something if nothing does. `nil`: it is closed, and all is done.
    func take(limit: Int) -> [Job<Place>]? {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        while waiting.isEmpty {
            guard !isClosed else { return nil }
            sleepers += 1
            pthread_cond_wait(arrival, lock)
            sleepers -= 1
        }
        guard waiting.count > limit else {
            defer { waiting = [] }
            return waiting
        }
        let taken = Array(waiting.prefix(limit))
        waiting.removeFirst(limit)
        // There is something left for another thread.
        if sleepers > 0 { pthread_cond_signal(arrival) }
        return taken
    }

    /// Whether something waits.
    var isBusy: Bool {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return !waiting.isEmpty
    }

    /// Nothing is added from now on; what waits is done.
    func close() {
        pthread_mutex_lock(lock)
        isClosed = true
        pthread_cond_broadcast(arrival)
        pthread_mutex_unlock(lock)
    }

    /// Runs `body` on a thread of its own; `false` when there can be none.
    func startThread(_ body: @escaping @Sendable (JobQueue) -> Void) -> Bool {
        pthread_mutex_lock(lock)
        threads += 1
        pthread_mutex_unlock(lock)
        let isStarted = StoreThread.start { [self] in
            body(self)
            hasEnded()
        }
        if !isStarted { hasEnded() }
        return isStarted
    }

    private func hasEnded() {
        pthread_mutex_lock(lock)
        threads -= 1
        pthread_cond_broadcast(arrival)
        pthread_mutex_unlock(lock)
    }

    /// Returns when every thread has ended. For a queue that is closed.
    func waitForThreads() {
        pthread_mutex_lock(lock)
        while threads > 0 { pthread_cond_wait(arrival, lock) }
        pthread_mutex_unlock(lock)
    }
}
