import HTTPMessages

/// A request that is on its way, and who waits for its response. Confined to its loop.
final class ClientExchange {
    typealias Outcome = Result<(HTTPResponse, [UInt8]), NetworkingError>

    let bytes: [UInt8]
    let method: HTTPRequest.Method
    let endpoint: ClientEndpoint
    private var continuation: CheckedContinuation<Outcome, Never>?
    var timer: TimerID?
    /// The connection it is on, once it is on one.
    var connection: ClientConnection?
    /// Where the content goes as it comes; without one it is collected.
    var stream: ResponseStream?
    /// Whether it has been sent on a kept connection that turned out to be closed.
    var isSecondAttempt = false

    init(
        bytes: [UInt8], method: HTTPRequest.Method, endpoint: ClientEndpoint,
        continuation: CheckedContinuation<Outcome, Never>
    ) {
        self.bytes = bytes
        self.method = method
        self.endpoint = endpoint
        self.continuation = continuation
    }

    var isFinished: Bool { continuation == nil }

    /// RFC 9110 section 9.2.2: a request may be sent again by itself only if doing it twice is as good as once.
    var isRepeatable: Bool {
        [.get, .head, .put, .delete, .options].contains(method)
    }

    func finish(_ outcome: Outcome) {
        continuation?.resume(returning: outcome)
        continuation = nil
        stream?.end(outcome.map { _ in })
        stream = nil
    }

    /// The head is there, and the content will come by the stream.
    func begin(_ response: HTTPResponse) {
        continuation?.resume(returning: .success((response, [])))
        continuation = nil
    }
}

/// Where connections go: those to the same endpoint can stand in for one another.
struct ClientEndpoint: Hashable, Sendable {
    let address: ConnectAddress
    /// Whom the server must prove to be; `nil` without TLS.
    let tlsHost: String?
}
