import Synchronization

/// Tells any number of readers how things are.
final class StateBroadcast: Sendable {
    private struct Readers {
        var state = SessionState.restoring
        /// The record that the state was last taken from.
        var newest: CredentialMark?
        /// How many states were shown, also of those that changed nothing.
        var moment: UInt64 = 0
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

    /// To be asked for before the store is.
    var moment: UInt64 { readers.withLock { $0.moment } }

    /// Shows what the store has said, unless it was asked before something newer was shown: states do not go back.
    ///
    /// - Parameters:
    ///   - mark: of the record; `nil`: the store has none, or does not say.
    ///   - moment: when the store was asked.
    func show(_ state: SessionState, of mark: CredentialMark?, askedAt moment: UInt64) {
        readers.withLock { readers in
            let isNewer = mark.map { mark in readers.newest.map { !mark.isOlder(than: $0) } ?? true } ?? false
            guard isNewer || moment == readers.moment else { return }
            if let mark { readers.newest = mark }
            readers.moment += 1
            guard readers.state != state else { return }
            readers.state = state
            for continuation in readers.continuations.values { continuation.yield(state) }
        }
    }
}
