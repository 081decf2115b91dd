import IdentityProvider

/// What a client has after a login.
///
///     let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid profile")
///     print(tokens.accessToken, tokens.expiresIn)
public struct TestTokens: Hashable, Sendable {
    /// The access token.
    public let accessToken: String
    /// How it is presented: `Bearer`.
    public let tokenType: String
    /// How long it is good.
    public let expiresIn: Duration
    /// There when the scope has `openid`.
    public let idToken: String?
    /// There when the client may use the refresh grant.
    public let refreshToken: String?
    /// What was granted.
    public let scope: String
    /// The login: `sid` of the tokens. Ends with ``TestIdentityProvider/endSession(_:)``.
    public let loginID: String

    init(_ tokens: DirectMinting.Tokens) {
        accessToken = tokens.accessToken
        tokenType = tokens.tokenType
        expiresIn = .seconds(tokens.expiresIn)
        idToken = tokens.idToken
        refreshToken = tokens.refreshToken
        scope = tokens.scope
        loginID = tokens.loginID.text
    }
}
