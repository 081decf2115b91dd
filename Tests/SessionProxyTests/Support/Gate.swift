import Synchronization

/// Holds whoever passes until it is opened, and tells when somebody stands before it.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var held: [CheckedContinuation<Void, Never>] = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    }

    private let state = Mutex(State())

    func pass() async {
        await withCheckedContinuation { continuation in
            let resumed: [CheckedContinuation<Void, Never>] = state.withLock { state in
                guard !state.isOpen else { return [continuation] }
                state.held.append(continuation)
                let count = state.held.count
                defer { state.watchers.removeAll { $0.count <= count } }
                return state.watchers.filter { $0.count <= count }.map(\.continuation)
            }
            for continuation in resumed { continuation.resume() }
        }
    }

    /// Returns when so many are held.
    func holds(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.held.count < count { state.watchers.append((count, continuation)) }
                return state.held.count >= count
            }
            if isThere { continuation.resume() }
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
