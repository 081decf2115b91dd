import OAuth
import Primitives

/// Which tokens the redirect itself is to carry (OpenID Connect Core sections 3.2 and 3.3, RFC 6749 section 4.2).
struct FrontChannelOrder: Sendable {
    let client: Client
    let family: Family
    let responseType: ResponseType
    /// The code that goes with them, for `c_hash`.
    var code: String?
    let issuer: PreparedIssuer
    let now: Timestamp
    /// What somebody wants these tokens to say instead, for a test.
    var override: TokenOverride?
}

/// The tokens that a redirect carries. Never a refresh token (RFC 6749 section 4.2.2).
struct FrontChannelTokens: Sendable {
    var accessToken: AccessToken?
    let scope: Scope
    var idToken: String?

    /// RFC 6749 section 4.2.2, OpenID Connect Core section 3.2.2.5.
    var parameters: [(name: String, value: String)] {
        var parameters: [(name: String, value: String)] = []
        if let accessToken {
            parameters += [
                ("access_token", accessToken.text), ("token_type", accessToken.type),
                ("expires_in", String(accessToken.lifetimeSeconds)),
            ]
            if !scope.isEmpty { parameters.append(("scope", scope.text)) }
        }
        if let idToken { parameters.append(("id_token", idToken)) }
        return parameters
    }
}
