/// Why nothing was heard about a grant.
///
///     let shown = LoginError.unavailable(Unavailability(.server(status: 503), retryAfter: .seconds(30)))
public struct Unavailability: Error, Hashable, Sendable {
    /// What came in place of an answer.
    public enum Cause: Hashable, Sendable {
        /// Nobody answered: no network, no connection, no time left.
        case offline
        /// The server answered that it cannot now (a status of the 500s, 429).
        case server(status: Int)
        /// The answer is none of a token endpoint: a captive portal, a page of a proxy, JSON that was cut off.
        case unreadable
        /// Whoever asked gave up.
        case cancelled
    }

    /// What came instead.
    public let cause: Cause
    /// As long as the server wants to be left alone (RFC 9110 section 10.2.3).
    public let retryAfter: Duration?

    /// For tests and previews of what shows it.
    public init(_ cause: Cause, retryAfter: Duration? = nil) {
        self.cause = cause
        self.retryAfter = retryAfter
    }
}
