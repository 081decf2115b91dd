import CLinux
import Glibc

/// Runs what would hold up a loop (key generation, name resolution, a database's library) on threads of its own.
///
///     let key = try await BlockingWork.run { try PrivateKey.generate(.rsa(bits: 3072)) }
package final class BlockingWork: @unchecked Sendable {
    /// Threads, made when there is something to do for them and kept.
    private static let threadLimit = 4
    private static let shared = BlockingWork()

    // All below is used under the lock only, which is why this class may call itself Sendable.
    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let arrival = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var queue: [@Sendable () -> Void] = []
    private var threads = 0
    private var idleThreads = 0

    // There is one of these, and it lives as long as the process.
    private init() {
        pthread_mutex_init(lock, nil)
        pthread_cond_init(arrival, nil)
    }

    /// Waits, without holding a thread of the caller's, for what `work` returns or throws.
    package static func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            shared.add {
                let result: Result<Value, Failure>
                do throws(Failure) { result = .success(try work()) } catch { result = .failure(error) }
                continuation.resume(returning: result)
            }
        }
        return try result.get()
    }

    private func add(_ work: @escaping @Sendable () -> Void) {
        pthread_mutex_lock(lock)
        queue.append(work)
        let needsThread = idleThreads < queue.count && threads < Self.threadLimit
        if needsThread { threads += 1 }
        pthread_cond_signal(arrival)
        pthread_mutex_unlock(lock)
        if needsThread, !startThread({ self.serve() }) { withoutThread() }
    }

    /// There can be no further thread: one that is there does the work, or the caller's.
    private func withoutThread() {
        pthread_mutex_lock(lock)
        threads -= 1
        let work = threads == 0 ? queue.popLast() : nil
        pthread_mutex_unlock(lock)
        work?()
    }

    private func serve() {
        pawl_name_this_thread("pawl-blocking")
        while true {
            pthread_mutex_lock(lock)
            while queue.isEmpty {
                idleThreads += 1
                pthread_cond_wait(arrival, lock)
                idleThreads -= 1
            }
            let work = queue.removeFirst()
            pthread_mutex_unlock(lock)
            work()
        }
    }
}
