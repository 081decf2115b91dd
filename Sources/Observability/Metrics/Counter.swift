import Synchronization

/// A number that only grows. Its labels were bound when it was made, so that counting is one atomic addition.
package final class Counter: Sendable {
    private let count = Atomic<UInt64>(0)

    package init() {}

    package func increment(by amount: UInt64 = 1) {
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    package var value: UInt64 { count.load(ordering: .relaxed) }
}
