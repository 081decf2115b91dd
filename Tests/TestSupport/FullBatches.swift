import Primitives
import Synchronization

/// Waits until a batch is full, and lets the last who came go on first.
package final class FullBatches: Batching {
    private typealias Waiting = (work: any BatchedWork, waiter: UnsafeContinuation<Void, Never>)

    private struct State {
        var size: Int
        var sizes: [Int] = []
        /// Of each piece of work that came.
        var tools: [ObjectIdentifier?] = []
        var waiting: [Waiting] = []
    }

    private let state: Mutex<State>

    package init(of size: Int) {
        state = Mutex(State(size: size))
    }

    /// Of the batches there were.
    package var sizes: [Int] { state.withLock { $0.sizes } }

    /// How many different tools the work of all batches had, and how many pieces had none.
    package var tools: (different: Int, none: Int) {
        state.withLock { (Set($0.tools.compactMap(\.self)).count, $0.tools.count { $0 == nil }) }
    }

    package func makeBatches(of size: Int) { state.withLock { $0.size = size } }

    package func add(_ work: any BatchedWork, for waiter: UnsafeContinuation<Void, Never>) {
        let batch = state.withLock { state in
            state.waiting.append((work, waiter))
            state.tools.append(work.tool.map(ObjectIdentifier.init))
            var batch: [Waiting] = []
            if state.waiting.count == state.size {
                swap(&batch, &state.waiting)
                state.sizes.append(batch.count)
            }
            return batch
        }
        batch.map(\.work).perform()
        for item in batch.reversed() { item.waiter.resume() }
    }
}
