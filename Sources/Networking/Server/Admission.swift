import Synchronization

/// Counts the connections of a server over all its loops, and says whether one more may come in.
final class Admission: Sendable {
    enum Verdict {
        case admitted
        /// Over the limit: to be told so, and ended.
        case refused
        /// So far over the limit that it is not worth a word.
        case turnedAway
    }

    private let limit: Int
    private let present = Atomic<Int>(0)
    private let refusals = Atomic<Int>(0)

    /// Connections over the limit that are told properly, all at once.
    private static let refusedAtOnce = 64

    init(limit: Int) {
        self.limit = limit
    }

    /// Whoever is admitted or refused must `leave` in the end; who is turned away is not counted.
    func ask() -> Verdict {
        let before = present.wrappingAdd(1, ordering: .relaxed).oldValue
        if before < limit { return .admitted }
        countRefusal()
        if before < limit + Self.refusedAtOnce { return .refused }
        leave()
        return .turnedAway
    }

    func leave() {
        present.wrappingSubtract(1, ordering: .relaxed)
    }

    func countRefusal() {
        refusals.wrappingAdd(1, ordering: .relaxed)
    }

    var refused: Int { refusals.load(ordering: .relaxed) }
}
