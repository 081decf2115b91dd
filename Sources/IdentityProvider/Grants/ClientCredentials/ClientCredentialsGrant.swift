import OAuth

/// The client asks on its own behalf (RFC 6749 section 4.4). There is no refresh token (section 4.4.3): asking again
/// is as easy.
struct ClientCredentialsGrant: Grant {
    static let type = "client_credentials"

    let minter: TokenMinter

    var type: String { Self.type }

    func answer(_ request: TokenRequest) async throws(OAuthError) -> TokenResponse {
        // RFC 6749 section 4.4: MUST only be used by confidential clients. One that nobody registered is whatever it says.
        guard !request.client.isPublic || request.client.origin == .assumed else {
            throw OAuthError(.unauthorizedClient, "a public client cannot ask on its own behalf")
        }
        let scope = try request.client.scope(for: request.form["scope"])
        // RFC 8707 section 2.1.
        let targets = try TargetPolicy.resources(of: request.form, for: request.client)
        return try await minter.tokens(
            for: request.client, scope: scope, audience: targets, confirmation: request.confirmation,
            override: request.override, as: request.issuer, at: request.now, request: request.form)
    }
}
