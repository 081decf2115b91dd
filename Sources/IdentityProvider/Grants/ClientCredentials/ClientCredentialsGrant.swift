import OAuth

/// The client asks on its own behalf (RFC 6749 section 4.4). There is no refresh token (section 4.4.3): asking again
/// is as easy.
struct ClientCredentialsGrant: Grant {
    static let type = "client_credentials"

    let tokens: AccessTokenIssuer

    var type: String { Self.type }

    func answer(_ request: TokenRequest) async throws(OAuthError) -> TokenResponse {
        let scope = try request.client.scope(for: request.form["scope"])
        // RFC 9068 section 2.2: without a resource owner, the subject is the client.
        let token = try tokens.issue(
            to: request.client, subject: request.client.id, scope: scope, as: request.issuer, at: request.now)
        return TokenResponse(accessToken: token, scope: scope)
    }
}
