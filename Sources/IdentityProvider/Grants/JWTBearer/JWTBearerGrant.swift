import OAuth
import Primitives

/// Tokens for an assertion about a user (RFC 7523 section 2.1).
struct JWTBearerGrant: Grant {
    static let type = "urn:ietf:params:oauth:grant-type:jwt-bearer"

    let context: ProviderContext
    let minter: TokenMinter

    var type: String { Self.type }

    func answer(_ request: TokenRequest) async throws(OAuthError) -> TokenResponse {
        guard let text = request.form["assertion"] else {
            throw OAuthError(.invalidRequest, "assertion is missing")
        }
        let scope = try request.client.scope(for: request.form["scope"])
        let targets = try TargetPolicy.resources(of: request.form, for: request.client)
        let subject = try await BearerAssertions(context: context).subject(
            of: text, presentedBy: request.client, as: request.issuer, at: request.now)
        let terms = FamilyTerms(
            id: FamilyID(from: context.random), clientID: request.client.id, userID: subject.user.id, scope: scope,
            resources: targets, began: request.now,
            expires: request.now + context.accessTokenLifetime(for: request.client),
            stays: context.stays(of: subject.user.id, with: request.client))
        // RFC 7521 section 4.1: refresh tokens are not issued; another assertion is as good.
        let family = try await minter.begin(
            terms, for: request.client, givingRefreshToken: false, notingIn: request.trace)
        var order = TokenOrder(
            client: request.client, family: family, scope: scope, grant: Self.type, issuer: request.issuer,
            now: request.now)
        order.audience = targets
        order.confirmation = request.confirmation
        order.override = request.override
        order.request = request.form
        return try await minter.tokens(order)
    }
}

extension ProviderContext {
    /// How long an access token for this client is good.
    func accessTokenLifetime(for client: Client) -> Duration {
        client.metadata.accessTokenLifetime ?? configuration.accessTokens.lifetime
    }
}
