import HTTPMessages
import Synchronization

/// A client that goes when a test says so. As on a network, one alone is told, the last who asked for it: what counts on two
/// is seen here.
package final class ManualPresence: ClientPresence {
    private struct State {
        var hasGone = false
        var body: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    package func whenGone(_ body: @escaping @Sendable () -> Void) {
        let isLate = state.withLock { state in
            if !state.hasGone { state.body = body }
            return state.hasGone
        }
        if isLate { body() }
    }

    package func go() {
        let body = state.withLock { state in
            state.hasGone = true
            defer { state.body = nil }
            return state.body
        }
        body?()
    }
}
