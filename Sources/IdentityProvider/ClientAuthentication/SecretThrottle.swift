import OAuth
import Primitives
import Synchronization

/// Keeps strangers from trying secrets of clients until one fits.
///
/// RFC 6749 section 2.3.1: an endpoint that takes a client's secret MUST be protected against brute force. Wrong ones are
/// counted for each client and each address they come from, so that nobody keeps a client out from somewhere else. While
/// nothing was wrong, which is nearly always, asking costs a look at one word.
///
/// A client that comes back is another one, with another secret (``Client/stay``).
final class SecretThrottle: Sendable {
    private let failures = AttemptLimiter()
    private let hasFailures = Atomic<Bool>(false)

    /// So many wrong secrets are looked at within the window. More than a test suite needs that tries wrong ones.
    static let failuresAllowed = 100
    static let window = Duration.seconds(60)

    /// Refuses to look at one more.
    func check(
        _ clientID: String, in stay: @autoclosure () -> Int?, from peer: String, at now: Timestamp
    ) throws(OAuthError) {
        guard hasFailures.load(ordering: .acquiring) else { return }
        let wait = failures.wait(
            for: Self.name(clientID, stay(), peer), at: now, allowing: Self.failuresAllowed, within: Self.window)
        guard wait == .zero else {
            throw OAuthError(
                .invalidClient, "too many wrong secrets for this client; wait a while", cause: "throttled",
                secondsToWait: wait.secondsToWait)
        }
    }

    func countFailure(_ clientID: String, in stay: Int?, from peer: String, at now: Timestamp) {
        hasFailures.store(true, ordering: .releasing)
        _ = failures.admits(
            Self.name(clientID, stay, peer), at: now, allowing: Self.failuresAllowed, within: Self.window)
    }

    func removeAll() {
        failures.removeAll()
        hasFailures.store(false, ordering: .releasing)
    }

    /// Neither an address nor a number holds a space.
    private static func name(_ clientID: String, _ stay: Int?, _ peer: String) -> String {
        "\(peer) \(stay ?? Stays.nobody) \(clientID)"
    }
}
