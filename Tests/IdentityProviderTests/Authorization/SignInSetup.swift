import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

extension ProviderUnderTest {
    /// With the standard clients and users, and others besides.
    static func signIn(
        _ clients: [Client] = [], store: (any ProviderStore)? = nil,
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) async throws -> ProviderUnderTest {
        try await ProviderUnderTest(
            clients: StandardClients.all() + clients, users: StandardUsers.all(), store: store,
            configure: configure)
    }

    /// Redeems a code as the standard web client does.
    func redeem(
        _ code: String, _ changes: [String: String?] = [:], basic: String? = nil, path: String = "/token"
    ) async -> Answer {
        var form = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": AuthorizationQuery.redirectURI,
            "client_id": "web", "code_verifier": AuthorizationQuery.verifier,
        ]
        for (name, value) in changes { form[name] = value }
        return await token(FormParameters(form.map { ($0.key, $0.value) }).encoded, basic: basic, path: path)
    }

    /// Redeems a code as the standard confidential client does.
    func redeemAsService(_ code: String, _ changes: [String: String?] = [:]) async -> Answer {
        await redeem(
            code, ["client_id": nil, "code_verifier": nil].merging(changes) { $1 }, basic: "service:secret")
    }

    /// A code of the standard web client.
    func code(_ query: AuthorizationQuery = AuthorizationQuery(), as user: String = "alice") async throws -> String {
        let page = try await Browser(self).signIn(query, as: user)
        return try #require(page.parameters["code"], "\(page.parameters) \(page.text)")
    }

    func refresh(_ token: String, client: String = "web") async -> Answer {
        await self.token("grant_type=refresh_token&client_id=\(client)&refresh_token=\(token)")
    }

    func verifiedIDToken(_ token: String, for client: String = "web") async throws -> VerifiedJWT {
        let keys = VerificationKeySet(try JWKSet(parsing: await get("/jwks.json").body.span))
        return try JWTPolicy(issuer: .exactly(Self.issuer), audience: .oneOf([client]), type: .exactly("JWT"))
            .verify(token, keys: keys, at: clock.now())
    }

    /// Whether the provider itself still takes an access token.
    func isActive(_ token: String) async throws -> Bool {
        try await AccessTokenReader(context: context).facts(of: token, at: clock.now()) != nil
    }
}

extension Browser {
    /// Goes to the provider with a request, and logs in where it asks.
    func signIn(
        _ query: AuthorizationQuery = AuthorizationQuery(), as user: String = "alice"
    ) async throws -> BrowserPage {
        let page = try await open(query.path)
        guard page.name.hasSuffix("/login") else { return page }
        return try await submit(page, ["username": user, "password": user])
    }

    /// Goes to the provider with a request.
    func authorize(_ changes: [String: String?] = [:]) async throws -> BrowserPage {
        try await open(AuthorizationQuery(changes).path)
    }
}

extension Client {
    /// A client of a test, with the redirect URI that all of them have.
    static func underTest(
        _ id: String, secret: String? = nil, redirects: [String] = [AuthorizationQuery.redirectURI],
        _ change: (inout ClientMetadata) throws -> Void = { _ in }
    ) throws -> Client {
        var metadata = ClientMetadata()
        metadata.redirectURIs = try redirects.map { try RedirectURI($0) }
        metadata.grants = ["authorization_code", "refresh_token"]
        metadata.responseTypes = [.code]
        metadata.requiresPKCE = secret == nil
        try change(&metadata)
        return try Client(id: id, secret: secret.map { Secret(utf8: $0) }, metadata: metadata)
    }
}
