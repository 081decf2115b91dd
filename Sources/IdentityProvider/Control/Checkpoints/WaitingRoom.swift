import Primitives
import Synchronization

/// Too many wait already.
package struct NoRoom: Error {}

/// Where requests wait until somebody lets them go. It has a limit, and its end lets all of them go.
final class WaitingRoom: Sendable {
    private struct State {
        var lastTicket = 0
        var waiting: [Int: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state = Mutex(State())
    private let capacity: Int

    init(capacity: Int) {
        precondition(capacity > 0, "a room for nobody")
        self.capacity = capacity
    }

    /// Holds the caller until his ticket is released or his task is cancelled.
    ///
    /// - Parameter whenHeld: called with the ticket as soon as it can be released; not at all when there is no room, and
    ///   then nobody is held.
    /// - Returns: whether there was room.
    @discardableResult
    func hold(_ whenHeld: (Int) -> Void) async -> Bool {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let isTaken = state.withLock { state in
                    guard state.waiting.count < capacity else { return false }
                    state.waiting[ticket] = continuation
                    return true
                }
                guard isTaken else { return continuation.resume(returning: false) }
                whenHeld(ticket)
                if Task.isCancelled { release(ticket) }
            }
        } onCancel: {
            release(ticket)
        }
    }

    /// Nothing happens when he has gone already.
    func release(_ ticket: Int) {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: true)
    }

    func releaseAll() {
        let waiting = state.withLock { state in
            let waiting = state.waiting
            state.waiting = [:]
            return waiting
        }
        for continuation in waiting.values { continuation.resume(returning: true) }
    }

    var count: Int { state.withLock { $0.waiting.count } }
}
