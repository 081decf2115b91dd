import Observability

/// Counts what became of telling clients that their users have signed out.
struct LogoutMetrics: Sendable {
    let registry: MetricsRegistry

    func count(_ outcome: LogoutAnnouncementOutcome) {
        registry.counter(
            "pawl_logout_announcements_total", help: "Back-channel logout tokens sent to clients, by outcome.",
            labels: [MetricLabel("outcome", outcome.name)]
        ).increment()
    }
}
