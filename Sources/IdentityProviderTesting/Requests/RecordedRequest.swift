import IdentityProvider
import Primitives

/// A request that came to the provider, and what became of it. No secret is in it: codes, tokens, assertions and passwords
/// are named without their values.
///
///     let request = try await idp.nextRequest(matching: .path("/token"))
///     print(request.clientID ?? "-", request.grantType ?? "-", request.status)
public struct RecordedRequest: Hashable, Sendable {
    /// Counts the requests, from one.
    public let number: Int
    /// Its name in the log, and `X-Request-Id` of its answer.
    public let id: String
    /// When it came, by the clock of the provider.
    public let secondsSince1970: Double
    /// When its answer was complete.
    public let answeredSecondsSince1970: Double
    /// How long that took by a clock that nobody moves.
    public let duration: Duration
    /// `GET`, `POST`, …
    public let method: String
    /// Below the issuer, without the query: `/token`.
    public let path: String
    /// The client that it names, be it by cookies or an ID token, proven or not.
    public let clientID: String?
    /// `grant_type`.
    public let grantType: String?
    /// `User-Agent`.
    public let userAgent: String?
    /// What it called itself: `Pawl-Label`.
    public let label: String?
    /// The scheme of `Authorization`: `Basic`, `Bearer`, `DPoP` or `other`.
    public let authorizationScheme: String?
    /// What has gone wrong with it because a test wanted that: `drop`, `delay`, … Its status is that of the answer as it was
    /// made, be it that the answer was dropped.
    public let faults: [String]
    /// The barriers that it came to, and why it went on.
    public let barriers: [Meeting]
    /// The sessions that it was about, by their `id`: that of a refresh token, of a code or of an access token that it brought, and
    /// those that it began, forked or ended.
    public let sessionIDs: [String]
    /// The logins that it ended, and with them every session that ends with its login: ``TestTokens/loginID`` is one.
    public let loginIDs: [String]
    /// The status of the answer.
    public let status: Int
    /// `error` of the answer.
    public let error: String?
    /// The parameters of the query and the form; `nil` for a value that may be a secret.
    public let parameters: [String: String?]
    /// What became of a refresh token that it presented.
    public let refresh: Refresh?

    /// What became of a refresh token.
    ///
    ///     let refresh = try #require(idp.requests.last?.refresh)
    ///     #expect(refresh.verdict == "refused" && refresh.cause == "reused")
    public struct Refresh: Hashable, Sendable {
        /// The session: `id` of ``TestSession``.
        public let sessionID: String
        /// The number of the token in the line of the session, from one on.
        public let number: Int
        /// `rotated`, `kept`, `replayed` or `refused`; `nil`: nothing was asked for it, or it was shown for something
        /// else and accepted.
        public let verdict: String?
        /// Why it was refused, such as `reused`, or accepted although it had been replaced.
        public let cause: String?
        /// The number of the refresh token in the answer.
        public let givenNumber: Int?

        init(_ record: RefreshRecord) {
            sessionID = record.family.description
            number = Int(record.node)
            verdict = record.verdict?.rawValue
            cause = record.cause
            givenNumber = record.given.map(Int.init)
        }
    }

    /// That a request came to a barrier.
    ///
    ///     let missed = idp.requests.filter { $0.barriers.contains { $0.outcome == "timed_out" } }
    public struct Meeting: Hashable, Sendable {
        /// Counts the barriers: ``TestBarrier/id``.
        public let barrier: Int
        /// `released`; `timed_out` when the time was over; `left` when the barrier was taken away, or the request has ended;
        /// `not_held` when too many waited.
        public let outcome: String

        init(_ meeting: BarrierMeeting) {
            barrier = meeting.barrier
            outcome = meeting.outcome.rawValue
        }
    }

    init(_ record: RequestRecord) {
        id = record.id
        duration = record.duration
        label = record.label
        authorizationScheme = record.authorizationScheme
        faults = record.faults
        barriers = record.meetings.map(Meeting.init)
        sessionIDs = record.families.map(\.description)
        loginIDs = record.logins.map(\.text)
        number = record.number
        secondsSince1970 = Double(record.time.millisecondsSinceEpoch) / 1000
        answeredSecondsSince1970 = Double(record.answered.millisecondsSinceEpoch) / 1000
        method = record.method
        path = record.path
        clientID = record.clientID
        grantType = record.grantType
        userAgent = record.userAgent
        status = record.status
        error = record.error
        refresh = record.refresh.map(Refresh.init)
        parameters = Dictionary(record.parameters) { first, _ in first }
    }
}
