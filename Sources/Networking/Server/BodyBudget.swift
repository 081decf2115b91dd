import Synchronization

/// How much content of requests a server holds, over all its loops: whoever sends slowly, on many connections, must not
/// fill the memory.
final class BodyBudget: Sendable {
    private let limit: Int
    private let held = Atomic<Int>(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// `false`, and nothing is taken, when that would be too much.
    func take(_ count: Int) -> Bool {
        guard held.wrappingAdd(count, ordering: .relaxed).newValue > limit else { return true }
        giveBack(count)
        return false
    }

    func giveBack(_ count: Int) {
        held.wrappingSubtract(count, ordering: .relaxed)
    }
}
