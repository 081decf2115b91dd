import OAuth
import Primitives

/// What an access token is to say. Handed on, and never copied: it is large.
struct AccessTokenOrder: ~Copyable, Sendable {
    let client: Client
    /// `sub`.
    let subject: String
    /// `nil`: the client acts for itself.
    let family: FamilyTerms?
    /// The number of the refresh token that it comes with and ends with.
    var refreshNode: UInt32?
    let scope: Scope
    /// Empty: the default of the client or the provider (RFC 9068 section 3).
    var audience: [String] = []
    var confirmation: Confirmation?
    /// RFC 8693 section 4.1.
    var actor: JSON?
    /// Shorter than usual, such as that of a token that was exchanged.
    var latestExpiry: Timestamp?
    /// Beyond those that every token has.
    var claims: JSONObject = [:]
    /// Put over all of them, those that every token has included.
    var overridingClaims: JSONObject?
    let issuer: PreparedIssuer
    let now: Timestamp
}
