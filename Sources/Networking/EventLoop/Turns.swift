import Synchronization

/// Deals things out in turn, to whoever asks from whatever thread.
struct Turns: ~Copyable, Sendable {
    private let count = Atomic<Int>(0)

    /// Whose turn it is among `candidates`, of which there is at least one.
    func next<Candidate>(among candidates: [Candidate]) -> Candidate {
        guard candidates.count > 1 else { return candidates[0] }
        let ticket = count.wrappingAdd(1, ordering: .relaxed).oldValue
        return candidates[Int(UInt(bitPattern: ticket) % UInt(candidates.count))]
    }
}
