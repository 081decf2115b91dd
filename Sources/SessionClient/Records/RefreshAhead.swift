import Primitives

/// How long before its end an access token is replaced.
///
///     timing.ahead = RefreshAhead(atLeast: .seconds(120), jitter: .seconds(60))
public struct RefreshAhead: Hashable, Sendable {
    /// So long before at the least, where the lifetime has room for it.
    public var atLeast: Duration
    /// Up to so much longer, by chance.
    public var jitter: Duration

    /// What is left of a short lifetime: ahead and jitter never take more than this share of it.
    private static let largestShare = 0.25

    /// A minute, and up to half a minute more.
    public init(atLeast: Duration = .seconds(60), jitter: Duration = .seconds(30)) {
        self.atLeast = atLeast
        self.jitter = jitter
    }

    /// From the answer on to the time of the next refresh.
    package func delay(withinLifetime lifetime: Duration, chance: Double) -> Duration {
        let ahead = atLeast + jitter * min(max(chance, 0), 1)
        return max(.zero, lifetime - min(ahead, lifetime * Self.largestShare))
    }
}
