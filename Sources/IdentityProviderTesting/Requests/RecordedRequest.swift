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
    /// When it came, by the clock of the provider.
    public let secondsSince1970: Double
    /// When its answer was complete.
    public let answeredSecondsSince1970: Double
    /// `GET`, `POST`, …
    public let method: String
    /// Below the issuer, without the query: `/token`.
    public let path: String
    /// The client that it names, proven or not.
    public let clientID: String?
    /// `grant_type`.
    public let grantType: String?
    /// `User-Agent`.
    public let userAgent: String?
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
        /// `rotated`, `kept`, `replayed` or `refused`; `nil`: the request failed before the token was judged.
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

    init(_ record: RequestRecord) {
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
