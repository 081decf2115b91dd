import Primitives

/// When a session manager refreshes, and how long it waits for whom. Each part has a default that suits an app.
///
///     var timing = SessionTiming()
///     timing.ahead = RefreshAhead(atLeast: .seconds(120))
///     timing.rules.patience = .seconds(30)
public struct SessionTiming: Hashable, Sendable {
    /// How long before its end an access token is replaced.
    public var ahead = RefreshAhead()
    /// How refreshes go, in time.
    public var rules = RefreshRules()
    /// After this the answer to a refresh is not waited for any more. Shorter than the lease.
    public var answerLimit = Duration.seconds(6)

    /// The defaults.
    public init() {}
}
