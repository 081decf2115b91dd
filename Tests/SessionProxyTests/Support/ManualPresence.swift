import HTTPMessages
import Synchronization

/// Clients that go when a test says so.
final class ManualPresence: ClientPresence {
    private struct State {
        var hasGone = false
        var bodies: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    func whenGone(_ body: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.hasGone { state.bodies.append(body) }
            return state.hasGone
        }
        if isLate { body() }
    }

    func go() {
        let bodies = state.withLock { state in
            state.hasGone = true
            defer { state.bodies = [] }
            return state.bodies
        }
        for body in bodies { body() }
    }
}
