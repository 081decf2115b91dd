import OAuth
import Primitives
import Synchronization

/// Waits on a free port of this machine for a browser to come back (RFC 8252 section 7.3), for one answer, once.
///
///     let redirect = try LoopbackRedirect.listen()
///     redirect.redirectURI                            // http://127.0.0.1:49152/callback
///     let callback = try await redirect.callback(within: .seconds(600), alarm: alarm, accepting: login.isAnswered)
///
/// RFC 8252 section 8.3: the port is open no longer than that, and to this machine alone. The waiting is done by a thread of
/// its own, for it would keep one of the few that run tasks from all others.
package final class LoopbackRedirect: Sendable {
    package let redirectURI: RedirectURI

    private enum Phase {
        case ready(LoopbackSockets)
        case waiting(CheckedContinuation<Result<String, LoopbackError>, Never>)
        /// The answer is there, and the browser is being told: whoever gives up now is too late.
        case answered(CheckedContinuation<Result<String, LoopbackError>, Never>)
        case over(LoopbackError)
    }

    private let path: String
    private let origin: String
    private let port: UInt16
    private let signal: StopSignal
    private let phase: Mutex<Phase>

    /// Opens the port. A browser that comes before anybody waits is kept waiting.
    package static func listen(path: String = "/callback") throws(LoopbackError) -> LoopbackRedirect {
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy(isPlain) else { throw .badPath }
        guard let sockets = LoopbackSockets(), let signal = StopSignal() else { throw .cannotListen }
        let origin = "http://\(sockets.host):\(sockets.port)"
        guard let redirectURI = try? RedirectURI(origin + path) else { throw .badPath }
        return LoopbackRedirect(redirectURI, path: path, origin: origin, sockets, signal)
    }

    private init(
        _ redirectURI: RedirectURI, path: String, origin: String, _ sockets: LoopbackSockets, _ signal: StopSignal
    ) {
        self.redirectURI = redirectURI
        self.path = path
        self.origin = origin
        self.signal = signal
        port = sockets.port
        phase = Mutex(.ready(sockets))
    }

    /// Characters that every browser and server spells in one way.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "/"):
            true
        default: byte.isASCIIDigit
        }
    }

    /// The URL that the browser came back with.
    ///
    /// - Parameter accepting: says whether a URL is the answer that is waited for. Every page of the web can send a browser
    ///   here; those that are not meant are turned away, and do not end the waiting.
    package func callback(
        within limit: Duration, alarm: any Alarm, accepting: @escaping @Sendable (String) -> Bool
    ) async throws(LoopbackError) -> String {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                begin(continuation, accepting)
                alarm.ring(after: limit) { [weak self] in self?.stop(.timedOut) }
            }
        } onCancel: {
            stop(.cancelled)
        }
        return try result.get()
    }

    /// Gives up waiting, and closes the port. Where the answer is there, that is too late, and changes nothing.
    package func stop(_ reason: LoopbackError = .stopped) { end(.failure(reason)) }

    private func begin(
        _ continuation: CheckedContinuation<Result<String, LoopbackError>, Never>,
        _ accepting: @escaping @Sendable (String) -> Bool
    ) {
        enum Step {
            case listen(LoopbackSockets)
            case fail(LoopbackError)
        }
        let step: Step = phase.withLock { phase in
            switch phase {
            case .ready(let sockets):
                phase = .waiting(continuation)
                return .listen(sockets)
            case .waiting, .answered: return .fail(.alreadyUsed)
            case .over(let reason): return .fail(reason)
            }
        }
        switch step {
        case .fail(let reason): continuation.resume(returning: .failure(reason))
        case .listen(let sockets):
            let reader = LoopbackRequestReader(path: path, origin: origin, port: port)
            let listener = LoopbackListener(sockets: sockets, signal: signal, reader: reader) { [self] url in
                guard accepting(url) else { return .notAwaited }
                return settle() ? .awaited : .tooLate
            }
            let hasThread = DetachedThread.start { [self] in
                switch listener.run() {
                case .callback(let url): end(.success(url))
                case .stopped: break
                case .failed: end(.failure(.cannotListen))
                }
            }
            if !hasThread { end(.failure(.cannotListen)) }
        }
    }

    /// Settles that the answer came; `false` where the waiting had ended before. A browser is told only what is settled, and
    /// whoever waits is woken when the browser has been told: an app that ends then must not take the page away from it.
    private func settle() -> Bool {
        phase.withLock { phase in
            guard case .waiting(let continuation) = phase else { return false }
            phase = .answered(continuation)
            return true
        }
    }

    private func end(_ result: Result<String, LoopbackError>) {
        let waiting: CheckedContinuation<Result<String, LoopbackError>, Never>? = phase.withLock { phase in
            switch phase {
            case .waiting(let continuation):
                phase = .over(.alreadyUsed)
                return continuation
            case .answered(let continuation):
                guard case .success = result else { return nil }
                phase = .over(.alreadyUsed)
                return continuation
            case .ready:
                if case .failure(let reason) = result { phase = .over(reason) }
                return nil
            case .over: return nil
            }
        }
        signal.send()
        waiting?.resume(returning: result)
    }
}
