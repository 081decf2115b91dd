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
    /// By the clock of the provider.
    public let secondsSince1970: Double
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

    init(_ record: RequestRecord) {
        number = record.number
        secondsSince1970 = Double(record.time.millisecondsSinceEpoch) / 1000
        method = record.method
        path = record.path
        clientID = record.clientID
        grantType = record.grantType
        userAgent = record.userAgent
        status = record.status
        error = record.error
        parameters = Dictionary(record.parameters) { first, _ in first }
    }
}
