import JOSE
import OAuth
import Observability

/// Counts what the token endpoint gives and refuses.
///
/// The counters of issued tokens are made ahead, so that counting one is a look-up and an addition. There are as many
/// as clients, and nobody from outside can make more.
struct TokenMetrics: Sendable {
    private let issued: [String: Counter]
    private let registry: MetricsRegistry

    init(registry: MetricsRegistry, clients: ClientRegistry, algorithm: SignatureAlgorithm) {
        self.registry = registry
        issued = Dictionary(
            uniqueKeysWithValues: clients.clients.map { client in
                let labels = [MetricLabel("client", client.id), MetricLabel("alg", algorithm.name)]
                return (
                    client.id,
                    registry.counter("pawl_access_tokens_issued_total", help: "Access tokens issued.", labels: labels)
                )
            })
    }

    func countIssued(to client: Client) {
        issued[client.id]?.increment()
    }

    func countRefused(_ code: OAuthErrorCode) {
        registry.counter(
            "pawl_token_requests_refused_total", help: "Token requests refused, by error code.",
            labels: [MetricLabel("error", code.rawValue)]
        ).increment()
    }
}
