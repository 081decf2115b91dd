import Primitives
import Synchronization

/// Does each work at once and by itself, and counts them: what is signed at once, or known already, is none.
package final class CountedBatches: Batching {
    private let performed = Mutex(0)

    package init() {}

    package var count: Int { performed.withLock { $0 } }

    package func add(_ work: any BatchedWork, for waiter: UnsafeContinuation<Void, Never>) {
        performed.withLock { $0 += 1 }
        NoBatching().add(work, for: waiter)
    }
}
