import Synchronization

/// What comes first of several things that may come. The others are too late, and do no harm.
package final class FirstResult<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case finished(Value)
        case over
    }

    private let state = Mutex(State.open)

    package init() {}

    package func finish(with value: Value) {
        let continuation: CheckedContinuation<Value, Never>? = state.withLock { state in
            switch state {
            case .open: state = .finished(value)
            case .awaited(let continuation):
                state = .over
                return continuation
            case .finished, .over: break
            }
            return nil
        }
        continuation?.resume(returning: value)
    }

    /// To be asked for once.
    package var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                let value: Value? = state.withLock { state in
                    if case .finished(let value) = state {
                        state = .over
                        return value
                    }
                    state = .awaited(continuation)
                    return nil
                }
                if let value { continuation.resume(returning: value) }
            }
        }
    }
}
