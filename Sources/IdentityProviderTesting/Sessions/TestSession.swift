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
    /// What the tokens are for (RFC 8707).
    public let resources: [String]
    /// The session that it was forked from, and ends with.
    public let originID: String?
    /// When it began, by the clock of the provider.
    public let secondsSince1970: Double
    /// Until when it lasts at most; `nil`: without end.
    public let expiresSecondsSince1970: Double?
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
        resources = family.terms.resources
        originID = family.terms.origin?.description
        secondsSince1970 = Double(family.terms.began.millisecondsSinceEpoch) / 1000
        expiresSecondsSince1970 = family.terms.expires.map { Double($0.millisecondsSinceEpoch) / 1000 }
        scope = family.terms.scope.text
        refreshTokenCount = Int(family.rotation.count)
        endReason = family.ended?.reason.rawValue
    }
}
