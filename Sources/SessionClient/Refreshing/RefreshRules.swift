import Primitives

/// How refreshes go, all of it in time.
///
///     timing.rules = RefreshRules(lease: .seconds(40), patience: .seconds(60))
public struct RefreshRules: Hashable, Sendable {
    /// As long one holder has a refresh for himself; a request is given up before. Who was killed with it is waited for as long, and
    /// what he has spent is asked for again: shorter than the windows in which servers allow that, of which ten seconds are the
    /// shortest that are usual.
    public var lease: Duration
    /// Somebody who waits for another looks as often.
    public var look: Duration
    /// After so long he waits no more.
    public var patience: Duration
    /// Before a refresh is tried again that the server has not answered: doubled with each attempt.
    public var firstBackoff: Duration
    /// No pause between two attempts is longer, unless the server asks for it.
    public var longestBackoff: Duration

    /// Whatever is not said suits an app.
    public init(
        lease: Duration = .seconds(8), look: Duration = .milliseconds(50), patience: Duration = .seconds(90),
        firstBackoff: Duration = .seconds(1), longestBackoff: Duration = .seconds(60)
    ) {
        self.lease = lease
        self.look = look
        self.patience = patience
        self.firstBackoff = firstBackoff
        self.longestBackoff = longestBackoff
    }

    /// How long to leave a server alone that did not answer for the n-th time.
    func backoff(afterAttempts attempts: Int, retryAfter: Duration?) -> Duration {
        let doubled = firstBackoff * (1 << min(max(attempts, 1) - 1, 16))
        return max(min(doubled, longestBackoff), retryAfter ?? .zero)
    }
}
