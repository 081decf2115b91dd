import Primitives
import Synchronization

/// The faults of a tenant, in the order in which they were set.
package final class Faults: Sendable {
    /// A fault, and what has become of it.
    package struct Entry: Sendable {
        package let id: Int
        package let fault: Fault
        /// Requests that it was for and that passed its checkpoint.
        package fileprivate(set) var seen = 0
        /// Those of them that suffered it.
        package fileprivate(set) var fired = 0

        package var isSpent: Bool { fired >= fault.count }
    }

    private struct State {
        var entries: [Entry] = []
        var lastID = 0
    }

    private let state = Mutex(State())
    private let audience: Audience

    /// More than these at once are no test any more. Those that are spent make room.
    package static let maximumCount = 1000

    init(audience: Audience) {
        self.audience = audience
    }

    /// By what it can be told from others; `nil` when there are too many.
    @discardableResult
    package func add(_ fault: Fault) -> Int? {
        precondition(fault.first > 0 && fault.count > 0, "a fault that never is")
        return state.withLock { state in
            if state.entries.count >= Self.maximumCount {
                guard let spent = state.entries.firstIndex(where: \.isSpent) else { return nil }
                state.entries.remove(at: spent)
            }
            state.lastID += 1
            state.entries.append(Entry(id: state.lastID, fault: fault))
            audience.set(.faults, true)
            return state.lastID
        }
    }

    /// Those that a request suffers at a checkpoint; they count it.
    func take(at checkpoint: Checkpoint, for passage: Passage) -> [Fault] {
        guard audience.contains(.faults) else { return [] }
        return state.withLock { state in
            var fired: [Fault] = []
            for index in state.entries.indices {
                let fault = state.entries[index].fault
                guard !state.entries[index].isSpent, fault.at == checkpoint, fault.filter.admits(passage) else {
                    continue
                }
                state.entries[index].seen += 1
                guard state.entries[index].seen >= fault.first else { continue }
                state.entries[index].fired += 1
                fired.append(fault)
            }
            listen(state)
            return fired
        }
    }

    private func listen(_ state: State) { audience.set(.faults, !state.entries.allSatisfy(\.isSpent)) }

    package var entries: [Entry] { state.withLock { $0.entries } }

    package func entry(_ id: Int) -> Entry? { state.withLock { state in state.entries.first { $0.id == id } } }

    /// Takes one back; `false` when it is not there.
    package func remove(_ id: Int) -> Bool {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.id == id }) else { return false }
            state.entries.remove(at: index)
            listen(state)
            return true
        }
    }

    package func removeAll() {
        state.withLock { state in
            state.entries = []
            listen(state)
        }
    }
}
