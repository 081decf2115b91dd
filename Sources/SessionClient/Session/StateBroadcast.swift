import Synchronization

/// Tells any number of readers how things are.
final class StateBroadcast: Sendable {
    private struct Readers {
        var state = SessionState.restoring
        var continuations: [UInt64: AsyncStream<SessionState>.Continuation] = [:]
        var count: UInt64 = 0
    }

    private let readers = Mutex(Readers())

    var state: SessionState { readers.withLock { $0.state } }

    /// The present state first, then each that differs from the one before.
    func stream() -> AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionState.self, bufferingPolicy: .bufferingNewest(16))
        let number = readers.withLock { readers in
            readers.count += 1
            readers.continuations[readers.count] = continuation
            continuation.yield(readers.state)
            return readers.count
        }
        continuation.onTermination = { [self] _ in
            _ = readers.withLock { $0.continuations.removeValue(forKey: number) }
        }
        return stream
    }

    func show(_ state: SessionState) {
        readers.withLock { readers in
            guard readers.state != state else { return }
            readers.state = state
            for continuation in readers.continuations.values { continuation.yield(state) }
        }
    }
}
