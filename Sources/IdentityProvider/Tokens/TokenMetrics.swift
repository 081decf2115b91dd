import OAuth
import Observability
import Primitives
import Synchronization

/// Counts what the token endpoint gives and refuses.
///
/// A counter is made when a client first gets something by a grant, and found again by a look-up. Clients may be made up by
/// whoever registers them, so that beyond a number they are counted together.
final class TokenMetrics: Sendable {
    private struct Key: Hashable {
        let client: ExactText
        let grant: String
    }

    private struct Counters {
        var issued: [Key: Counter] = [:]
        var refused: [String: Counter] = [:]
    }

    private let registry: MetricsRegistry
    private let counters = Mutex(Counters())

    private static let maximumCount = 256

    init(registry: MetricsRegistry) {
        self.registry = registry
    }

    func countIssued(to client: Client, by grant: String) {
        let counter = counters.withLock { counters in
            if let counter = counters.issued[Key(client: ExactText(client.id), grant: grant)] { return counter }
            let isFull = counters.issued.count >= Self.maximumCount
            let name = isFull ? "other" : client.id
            let key = Key(client: ExactText(name), grant: grant)
            if let counter = counters.issued[key] { return counter }
            let counter = registry.counter(
                "pawl_access_tokens_issued_total", help: "Access tokens issued.",
                labels: [MetricLabel("client", name), MetricLabel("grant", grant)])
            counters.issued[key] = counter
            return counter
        }
        counter.increment()
    }

    /// The codes are few: they stand in the sources.
    func countRefused(_ code: OAuthErrorCode) {
        let counter = counters.withLock { counters in
            if let counter = counters.refused[code.rawValue] { return counter }
            let counter = registry.counter(
                "pawl_token_requests_refused_total", help: "Token requests refused, by error code.",
                labels: [MetricLabel("error", code.rawValue)])
            counters.refused[code.rawValue] = counter
            return counter
        }
        counter.increment()
    }
}
