import Synchronization

/// Holds whoever comes until it is opened, and tells that somebody has come.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var count = 0
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    func pass() async {
        let watchers = state.withLock { state in
            state.count += 1
            defer { state.watchers = [] }
            return state.watchers
        }
        for watcher in watchers { watcher.resume() }
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.held.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    /// Returns as soon as somebody has come, also if that was before.
    func arrival() async {
        await withCheckedContinuation { continuation in
            let hasCome = state.withLock { state in
                if state.count == 0 { state.watchers.append(continuation) }
                return state.count > 0
            }
            if hasCome { continuation.resume() }
        }
    }

    func open() {
        let held = state.withLock { state in
            state.isOpen = true
            defer { state.held = [] }
            return state.held
        }
        for continuation in held { continuation.resume() }
    }
}
