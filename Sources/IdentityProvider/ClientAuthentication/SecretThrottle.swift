import OAuth
import Primitives
import Synchronization

/// Keeps strangers from trying secrets of clients until one fits.
///
/// RFC 6749 section 2.3.1: an endpoint that takes a client's secret MUST be protected against brute force. Wrong ones are
/// counted for each client, each address they come from, and each sort of ``Asker``, so that nobody keeps a client out from
/// somewhere else, and no page those programs that have its browser's address. It makes no difference whether there is such a
/// client, and by which method its secret is tried. While nothing was wrong, which is nearly always, asking costs a look at one
/// word.
///
/// A client that comes back is another one, with another secret (``Client/stay``).
final class SecretThrottle: Sendable {
    private let failures = AttemptLimiter()
    private let hasFailures = Atomic<Bool>(false)

    /// Refuses to look at one more.
    func check(_ clientID: String, in request: ClientRequest, of context: ProviderContext) throws(OAuthError) {
        guard hasFailures.load(ordering: .acquiring) else { return }
        let policy = context.configuration.clientSecrets
        let wait = failures.wait(
            for: Self.name(clientID, request, context), at: request.now, allowing: policy.failuresAllowed,
            within: policy.failureWindow)
        guard wait == .zero else {
            let error = OAuthError(
                .invalidClient, "too many wrong secrets for this client; wait a while", cause: "throttled",
                secondsToWait: wait.secondsToWait)
            // RFC 6749 section 5.2: to a client that used the Authorization field, 401 MUST be answered, with a challenge.
            throw request.authorization == nil ? error : error.asChallenge
        }
    }

    func countFailure(_ clientID: String, in request: ClientRequest, of context: ProviderContext) {
        hasFailures.store(true, ordering: .releasing)
        let policy = context.configuration.clientSecrets
        _ = failures.admits(
            Self.name(clientID, request, context), at: request.now, allowing: policy.failuresAllowed,
            within: policy.failureWindow)
    }

    func removeAll() {
        failures.removeAll()
        hasFailures.store(false, ordering: .releasing)
    }

    /// Neither a sort, nor an address, nor a number holds a space.
    private static func name(_ clientID: String, _ request: ClientRequest, _ context: ProviderContext) -> String {
        "\(request.asker.rawValue) \(request.peer) \(context.clients[clientID]?.stay ?? Stays.nobody) \(clientID)"
    }
}
