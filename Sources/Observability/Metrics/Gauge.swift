import Synchronization

/// A number that goes up and down.
package final class Gauge: Sendable {
    private let current = Atomic<Int>(0)

    package init() {}

    package func set(_ value: Int) { current.store(value, ordering: .relaxed) }

    package func add(_ difference: Int) { current.wrappingAdd(difference, ordering: .relaxed) }

    package var value: Int { current.load(ordering: .relaxed) }
}
