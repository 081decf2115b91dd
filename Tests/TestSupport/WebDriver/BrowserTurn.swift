import Synchronization

/// One browser at a time in a process: two of them on a small machine are slower than one after the other. Whoever waits
/// holds no thread.
enum BrowserTurn {
    private static let state = Mutex<(isTaken: Bool, waiters: [CheckedContinuation<Void, Never>])>((false, []))

    static func take() async {
        await withCheckedContinuation { waiter in
            let isMine = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiters.append(waiter)
                return false
            }
            if isMine { waiter.resume() }
        }
    }

    /// Hands over to whoever has waited longest.
    static func pass() {
        let next = state.withLock { state in
            guard !state.waiters.isEmpty else {
                state.isTaken = false
                return nil as CheckedContinuation<Void, Never>?
            }
            return state.waiters.removeFirst()
        }
        next?.resume()
    }
}
