/// Remembers what can be made again, up to a number of entries: when they are full, the one goes that came first.
///
/// Simple on purpose: nothing is noted when an entry is used, and a new value has the place of the former one. It is for what
/// may be made once more now and then.
package struct BoundedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private let maximumCount: Int
    private var entries: [Key: Value] = [:]
    /// As they came; when all places are taken, the first of them is at `oldest`.
    private var keys: [Key] = []
    private var oldest = 0

    package init(maximumCount: Int) {
        precondition(maximumCount > 0, "a cache of nothing")
        self.maximumCount = maximumCount
    }

    package var count: Int { entries.count }

    package subscript(key: Key) -> Value? { entries[key] }

    package mutating func removeAll() {
        entries.removeAll()
        keys.removeAll()
        oldest = 0
    }

    package mutating func insert(_ value: Value, for key: Key) {
        guard entries.updateValue(value, forKey: key) == nil else { return }
        guard keys.count == maximumCount else {
            keys.append(key)
            return
        }
        entries[keys[oldest]] = nil
        keys[oldest] = key
        oldest = (oldest + 1) % maximumCount
    }
}
