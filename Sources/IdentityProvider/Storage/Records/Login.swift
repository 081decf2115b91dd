import Primitives

/// A user who is logged in at the provider with one browser: what single sign-on rests on.
package struct Login: Sendable {
    package let id: LoginID
    package let userID: String
    /// In which stay of the user it began: it ends with that. `nil`: that is not known.
    package var userStay: Int?
    package var authentication: Authentication
    /// Claims that were given at this login, for all tokens that follow from it.
    package var claims: JSONObject
    /// The clients that got tokens in it, in the order in which they came: whom a logout has to be told.
    package var clientIDs: [String] = []
    /// By which name of the provider's each of them got its tokens, for those of whom that is known.
    package var issuers: [String: String] = [:]
    package var expires: Timestamp
    /// Until when what follows from it may still be alive, and has to know whether it was ended.
    package var neededUntil: Timestamp
    package var ended: Family.Ending?
    /// The digest of the secret that the browser shows for it; `nil` when no browser does.
    package var secretDigest: TokenDigest?

    package init(
        id: LoginID, userID: String, authentication: Authentication, claims: JSONObject = [:], expires: Timestamp
    ) {
        self.id = id
        self.userID = userID
        self.authentication = authentication
        self.claims = claims
        self.expires = expires
        neededUntil = expires
    }

    package func isAlive(at now: Timestamp) -> Bool { ended == nil && now < expires }
}
