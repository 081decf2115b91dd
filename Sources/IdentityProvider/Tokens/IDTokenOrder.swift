import OAuth
import Primitives

/// What an ID token is to say. Handed on, and never copied: it is large.
struct IDTokenOrder: ~Copyable, Sendable {
    let client: Client
    let terms: FamilyTerms
    /// `sub`.
    let subject: String
    /// Told when the request had one, and not again at a refresh (OpenID Connect Core section 12.2).
    var nonce: String?
    /// The access token that comes with it, for `at_hash`.
    var accessToken: String?
    /// The code that comes with it, for `c_hash`.
    var code: String?
    /// Shorter than usual.
    var latestExpiry: Timestamp?
    /// Beyond those that every ID token has.
    var claims: JSONObject = [:]
    /// Put over all of them, those that every ID token has included.
    var overridingClaims: JSONObject?
    let issuer: PreparedIssuer
    let now: Timestamp
}
