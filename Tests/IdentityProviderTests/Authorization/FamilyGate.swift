import Synchronization

/// Holds the first who comes to it while it is closed, and lets everybody else pass.
final class FamilyGate: Sendable {
    private struct State {
        var isClosed = false
        var isTaken = false
        var held: CheckedContinuation<Void, Never>?
        var watcher: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func close() { state.withLock { $0.isClosed = true } }

    func pass() async {
        await withCheckedContinuation { continuation in
            let (passes, watcher) = state.withLock { state in
                guard state.isClosed, !state.isTaken else { return (true, nil as CheckedContinuation<Void, Never>?) }
                state.isTaken = true
                state.held = continuation
                let watcher = state.watcher
                state.watcher = nil
                return (false, watcher)
            }
            if passes { continuation.resume() }
            watcher?.resume()
        }
    }

    /// Returns when somebody is held.
    func waitForSomebody() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.isTaken { return true }
                state.watcher = continuation
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    func open() {
        let held = state.withLock { state in
            state.isClosed = false
            let held = state.held
            state.held = nil
            return held
        }
        held?.resume()
    }
}

extension ProviderUnderTest {
    /// Redeems a code, and a second time while the gate holds the first before it has begun its family.
    func redeemTwice(_ code: String, at gate: FamilyGate) async -> (first: Answer, replay: Answer) {
        gate.close()
        async let first = redeem(code)
        await gate.waitForSomebody()
        // The gate holds the first alone.
        let replay = await redeem(code)
        gate.open()
        return (await first, replay)
    }
}
