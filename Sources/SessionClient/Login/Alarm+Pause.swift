import Primitives
import Synchronization

extension Alarm {
    /// Waits for a while.
    ///
    /// - Returns: `false`, at once, where the task was cancelled before the while was over.
    func pause(for delay: Duration) async -> Bool {
        let pause = Pause()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard pause.begin(continuation) else { return }
                ring(after: delay) { pause.end(true) }
            }
        } onCancel: {
            pause.end(false)
        }
    }
}

/// One wait, which the alarm or the cancellation ends, whichever comes first.
private final class Pause: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Bool, Never>)
        case over
    }

    private let state = Mutex(State.new)

    /// `false` where it was over before it had begun.
    func begin(_ continuation: CheckedContinuation<Bool, Never>) -> Bool {
        let hasBegun = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !hasBegun { continuation.resume(returning: false) }
        return hasBegun
    }

    func end(_ hasRung: Bool) {
        let waiting: CheckedContinuation<Bool, Never>? = state.withLock { state in
            defer { state = .over }
            guard case .waiting(let continuation) = state else { return nil }
            return continuation
        }
        waiting?.resume(returning: hasRung)
    }
}
