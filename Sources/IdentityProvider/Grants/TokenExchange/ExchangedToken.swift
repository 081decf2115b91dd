import OAuth
import Primitives

/// What a subject token or an actor token has turned out to be.
struct ExchangedToken: Sendable {
    let party: Party
    /// `sub`, as the token has it or would have it.
    let subject: String
    /// Who gave it, where that is not this provider.
    var issuer: String?
    /// Whom it was given to; `nil` when that is unknown.
    var clientID: String?
    /// What it is good for; `nil` when it says nothing about that.
    var scope: Scope?
    /// What the user has agreed to for the client, where the token says nothing of scopes; `nil` when nobody is asked.
    var consented: Scope?
    /// For whom an access token from it is, unless the request says otherwise.
    var resources: [String] = []
    /// What the user authorised, and what this token follows from.
    var terms: FamilyTerms?
    /// The login that an ID token speaks of.
    var login: Login?
    let expires: Timestamp?
    var confirmation: Confirmation?
    /// RFC 8693 section 4.1.
    var actor: JSON?
    /// RFC 8693 section 4.4.
    var mayAct: JSON?

    /// Whom a token is about.
    enum Party: Sendable, Equatable {
        /// By the `id` of a `User`.
        case user(String)
        /// A client that acts for itself.
        case client(String)
    }
}
