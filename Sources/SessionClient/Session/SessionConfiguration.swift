import Primitives

/// What a session manager goes by, besides the server. Each has a default that suits an app.
package struct SessionConfiguration: Hashable, Sendable {
    /// How long before its end an access token is replaced.
    package var ahead = RefreshAhead()
    /// How refreshes go, in time.
    package var rules = RefreshRules()
    /// After this the answer to a refresh is not waited for any more. Shorter than the lease.
    package var answerLimit = Duration.seconds(20)

    package init() {}
}
