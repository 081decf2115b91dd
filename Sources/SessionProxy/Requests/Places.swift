import Synchronization

/// A bounded number of places, for what must not be done too often at once.
final class Places: Sendable {
    private let limit: Int
    private let taken = Mutex(0)

    init(_ limit: Int) {
        precondition(limit > 0, "there is a place")
        self.limit = limit
    }

    /// Does something in a place of its own, which is free again afterwards; `nil`: there was none, and nothing was done.
    func take<Value: Sendable>(_ body: () async -> Value) async -> Value? {
        let isFree = taken.withLock { taken in
            guard taken < limit else { return false }
            taken += 1
            return true
        }
        guard isFree else { return nil }
        defer { taken.withLock { $0 -= 1 } }
        return await body()
    }
}
