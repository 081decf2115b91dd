import OAuth
import Primitives
import Synchronization

/// Knows the cookies of all clients by their names, found out once for each name of the provider and each set of clients.
final class SessionCookieDirectory: Sendable {
    private struct State {
        var version = -1
        var names: BoundedCache<ExactText, SessionCookieNames>
    }

    private let context: ProviderContext
    private let state = Mutex(State(names: BoundedCache(maximumCount: SessionCookieDirectory.maximumIssuerCount)))

    /// A provider that goes by whatever name it is asked for has as many as somebody makes up.
    private static let maximumIssuerCount = 64

    init(context: ProviderContext) {
        self.context = context
    }

    func names(at issuer: Issuer) -> SessionCookieNames {
        let key = ExactText(issuer.identifier)
        // Read before the clients are: whoever changes them meanwhile makes what is kept here old.
        let version = context.descriptionVersion
        let kept = state.withLock { $0.version == version ? $0.names[key] : nil }
        if let kept { return kept }
        let names = SessionCookieNames(of: context.clients.clients, by: SessionTransport(issuer))
        state.withLock { state in
            guard state.version <= version else { return }
            if state.version < version {
                state.version = version
                state.names.removeAll()
            }
            state.names.insert(names, for: key)
        }
        return names
    }
}
