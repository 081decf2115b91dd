import OAuth
import Primitives

extension FamilyTerms {
    /// The same, with refresh tokens that are bound to a key, where one was shown.
    func bound(to confirmation: Confirmation?) -> FamilyTerms {
        guard let confirmation, confirmation != self.confirmation else { return self }
        return FamilyTerms(
            id: id, clientID: clientID, userID: userID, scope: scope, resources: resources, loginID: loginID,
            endsWithLogin: endsWithLogin, authentication: authentication, nonce: nonce, claimsRequest: claimsRequest,
            loginClaims: loginClaims, confirmation: confirmation, actor: actor, began: began, expires: expires,
            stays: stays, origin: origin)
    }

    /// What may differ where one authorisation follows from another.
    struct Changes: Sendable {
        var resources: [String]?
        var confirmation: Confirmation?
        var actor: JSON?
        var began: Timestamp?
        var expires: Timestamp?
    }

    /// An authorisation that follows from this one: the same user, the same login, and never more than was granted.
    /// What belongs to one request alone, the nonce, stays behind.
    func derived(_ changes: Changes, id: FamilyID, for client: Client, scope: Scope) -> FamilyTerms {
        precondition(scope.isSubset(of: self.scope), "what follows from an authorisation does not exceed it")
        return FamilyTerms(
            id: id, clientID: client.id, userID: userID, scope: scope, resources: changes.resources ?? resources,
            loginID: loginID, endsWithLogin: endsWithLogin, authentication: authentication,
            claimsRequest: claimsRequest, loginClaims: loginClaims, confirmation: changes.confirmation,
            actor: changes.actor ?? actor, began: changes.began ?? began,
            expires: changes.expires ?? expires, stays: stays.map { Stays(user: $0.user, client: client.stay) },
            origin: origin)
    }
}
