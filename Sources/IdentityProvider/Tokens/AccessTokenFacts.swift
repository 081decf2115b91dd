import OAuth
import Primitives

/// What an access token says, whichever form it has: what introspection (RFC 7662 section 2.2) and the userinfo endpoint
/// work with.
package struct AccessTokenFacts: Sendable {
    /// `jti`.
    package let identifier: String
    package let clientID: String
    /// `sub`, as this client knows the user.
    package let subject: String
    /// `nil`: the client acts for itself.
    package let familyID: FamilyID?
    package let scope: Scope
    package let audience: [String]
    package let issuedAt: Timestamp
    package let expires: Timestamp
    package let confirmation: Confirmation?
    /// Every claim of it, the above included.
    package let claims: JSONObject

    package init(
        identifier: String, clientID: String, subject: String, familyID: FamilyID?, scope: Scope, audience: [String],
        issuedAt: Timestamp, expires: Timestamp, confirmation: Confirmation?, claims: JSONObject
    ) {
        self.identifier = identifier
        self.clientID = clientID
        self.subject = subject
        self.familyID = familyID
        self.scope = scope
        self.audience = audience
        self.issuedAt = issuedAt
        self.expires = expires
        self.confirmation = confirmation
        self.claims = claims
    }
}
