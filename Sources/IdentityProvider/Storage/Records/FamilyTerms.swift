import OAuth
import Primitives

/// What was authorised: fixed when a family begins, and shared by all its copies.
package final class FamilyTerms: Sendable {
    package let id: FamilyID
    package let clientID: String
    /// Whose data it is about: the `id` of a `User`. The `sub` of tokens follows from it, per client.
    package let userID: String
    package let scope: Scope
    /// RFC 8707: the resources that the tokens may be for; empty when none was named.
    package let resources: [String]
    /// The login that it was authorised in, if there was one.
    package let loginID: LoginID?
    /// Whether it ends when the login does.
    package let endsWithLogin: Bool
    package let authentication: Authentication?
    /// The `nonce` of the authorization request.
    package let nonce: String?
    package let claimsRequest: ClaimsRequest?
    /// Claims that were given for this login alone.
    package let loginClaims: JSONObject
    /// What the refresh tokens are bound to (RFC 9449 section 5, RFC 8705 section 4).
    package let confirmation: Confirmation?
    /// RFC 8693 section 4.1: who acts for the user.
    package let actor: JSON?
    package let began: Timestamp
    /// Beyond this no refresh token is good, whatever rotation does; `nil`: no end.
    package let expires: Timestamp?
    /// In which stays of its user and its client it was authorised: it ends with either. `nil`: that is not known.
    package let stays: Stays?
    /// The family that it was forked from: it ends with that, and with whatever that was forked from.
    package let origin: FamilyID?

    package init(
        id: FamilyID, clientID: String, userID: String, scope: Scope, resources: [String] = [],
        loginID: LoginID? = nil, endsWithLogin: Bool = false, authentication: Authentication? = nil,
        nonce: String? = nil, claimsRequest: ClaimsRequest? = nil, loginClaims: JSONObject = [:],
        confirmation: Confirmation? = nil, actor: JSON? = nil, began: Timestamp, expires: Timestamp?,
        stays: Stays? = nil, origin: FamilyID? = nil
    ) {
        self.id = id
        self.clientID = clientID
        self.userID = userID
        self.scope = scope
        self.resources = resources
        self.loginID = loginID
        self.endsWithLogin = endsWithLogin
        self.authentication = authentication
        self.nonce = nonce
        self.claimsRequest = claimsRequest
        self.loginClaims = loginClaims
        self.confirmation = confirmation
        self.actor = actor
        self.began = began
        self.expires = expires
        self.stays = stays
        self.origin = origin
    }
}
