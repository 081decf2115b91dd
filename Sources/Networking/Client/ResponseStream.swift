import Synchronization

/// The content of a response as it comes, for whoever does not wait for its end. Read by one task at a time.
///
/// What was not read yet is bounded: the socket is left alone until there is room again, and so the server learns of it.
package final class ResponseStream: Sendable {
    private struct State {
        var pieces: [[UInt8]] = []
        var byteCount = 0
        var end: Result<Void, NetworkingError>?
        var reader: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())
    private let goOn: @Sendable () -> Void
    private let giveUp: @Sendable () -> Void

    /// Bytes that have come and were not read. A piece more than that may be there.
    static let maximumByteCount = 256 << 10

    /// - Parameters:
    ///   - goOn: called when there is room again.
    ///   - giveUp: called when nobody reads any more.
    init(goOn: @escaping @Sendable () -> Void, giveUp: @escaping @Sendable () -> Void) {
        self.goOn = goOn
        self.giveUp = giveUp
    }

    /// The next piece; `nil` when the response is complete. A cancelled task gives the response up.
    package func next() async throws(NetworkingError) -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mayGoOn = state.withLock { state in
                    guard state.pieces.isEmpty, state.end == nil else { return true }
                    precondition(state.reader == nil, "two tasks read one response")
                    state.reader = continuation
                    return false
                }
                if mayGoOn { continuation.resume() }
            }
        } onCancel: {
            close()
        }
        let (piece, end, hasRoomAgain) = state.withLock { state in
            guard !state.pieces.isEmpty else { return ([UInt8]?.none, state.end, false) }
            let piece = state.pieces.removeFirst()
            let wasFull = state.byteCount >= Self.maximumByteCount
            state.byteCount -= piece.count
            return (piece, nil, wasFull && state.byteCount < Self.maximumByteCount)
        }
        if hasRoomAgain { goOn() }
        try end?.get()
        return piece
    }

    /// Nobody reads any more.
    package func close() {
        end(.failure(NetworkingError(.cancelled, "the response was given up")))
        giveUp()
    }

    // MARK: The connection

    var isFull: Bool { state.withLock { $0.byteCount >= Self.maximumByteCount } }

    func append(_ piece: [UInt8]) {
        let reader = state.withLock { state in
            guard state.end == nil else { return CheckedContinuation<Void, Never>?.none }
            state.pieces.append(piece)
            state.byteCount += piece.count
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }

    /// What comes after the first end counts for nothing.
    func end(_ result: Result<Void, NetworkingError>) {
        let reader = state.withLock { state in
            state.end = state.end ?? result
            defer { state.reader = nil }
            return state.reader
        }
        reader?.resume()
    }
}
