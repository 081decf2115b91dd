/// Remembers what can be made again, up to a number of entries: when they are full, all are forgotten.
///
/// Simple on purpose. It is for keys that are few unless somebody makes them up, and then no order among them is worth
/// keeping.
package struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let maximumCount: Int
    private var entries: [Key: Value] = [:]

    package init(maximumCount: Int) {
        precondition(maximumCount > 0, "a cache of nothing")
        self.maximumCount = maximumCount
    }

    package var count: Int { entries.count }

    package subscript(key: Key) -> Value? { entries[key] }

    package mutating func removeAll() { entries.removeAll() }

    package mutating func insert(_ value: Value, for key: Key) {
        if entries.count >= maximumCount { entries.removeAll(keepingCapacity: true) }
        entries[key] = value
    }
}
