import Synchronization

/// How a response is to leave the server, where somebody wants it to go wrong or wants to hear when it has gone. Without
/// one it leaves whole, and nobody is told.
package final class ResponseDelivery: Sendable {
    /// What becomes of a response on the wire.
    package enum Manner: Hashable, Sendable {
        case whole
        /// The connection is closed without an answer.
        case dropped
        /// The head goes out, and so many bytes of the content (half of it when `nil`); then the connection is closed.
        case cut(contentBytes: Int?)
        /// It goes out twice, one after the other, as no server may.
        case repeated
    }

    package let manner: Manner
    private let whenGone: Mutex<(@Sendable () -> Void)?>

    /// - Parameter whenGone: called once: when the socket has taken the whole response, or nothing of it can be sent any
    ///   more.
    package init(_ manner: Manner = .whole, whenGone: @escaping @Sendable () -> Void = {}) {
        self.manner = manner
        self.whenGone = Mutex(whenGone)
    }

    /// Nobody sends it any more, so that it has gone.
    deinit { gone() }

    package func gone() {
        let body = whenGone.withLock { body in
            defer { body = nil }
            return body
        }
        body?()
    }
}
