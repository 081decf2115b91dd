import IdentityProvider
import OAuth
import Primitives

/// What a user has authorised one client to do, with all tokens that follow from it.
///
///     let sessions = try await idp.sessions()
///     let alive = sessions.filter { !$0.hasEnded }
public struct TestSession: Hashable, Sendable {
    /// By what it is told from others; no secret.
    public let id: String
    /// The login in which it was authorised: `sid` of the tokens.
    public let loginID: String?
    /// The client.
    public let clientID: String
    /// The `sub` of the user, as the provider itself knows him.
    public let subject: String
    /// What was granted.
    public let scope: String
    /// How many refresh tokens there have been.
    public let refreshTokenCount: Int
    /// Why it ended, such as `refresh_token_reused`; `nil` as long as it has not.
    public let endReason: String?
    /// Whether its refresh tokens are good no more; nor are its access tokens, unless the rules for reuse spare them.
    public var hasEnded: Bool { endReason != nil }

    init(_ family: Family) {
        id = family.id.description
        loginID = family.terms.loginID?.text
        clientID = family.terms.clientID
        subject = family.terms.userID
        scope = family.terms.scope.text
        refreshTokenCount = Int(family.rotation.count)
        endReason = family.ended?.reason.rawValue
    }
}
