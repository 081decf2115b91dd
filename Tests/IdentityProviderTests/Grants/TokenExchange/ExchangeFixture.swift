import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// Exchanges under test.
struct ExchangeFixture {
    let provider: GrantsProvider

    static let accessToken = "urn:ietf:params:oauth:token-type:access_token"
    static let refreshToken = "urn:ietf:params:oauth:token-type:refresh_token"
    static let idToken = "urn:ietf:params:oauth:token-type:id_token"
    static let jwt = "urn:ietf:params:oauth:token-type:jwt"

    init(clients: [Client] = [], users: [User] = []) async throws {
        provider = try await GrantsProvider(clients: clients, users: users)
    }

    func exchange(
        _ token: String, _ type: String = accessToken, as client: String = "service:secret",
        also: [(String, String)] = []
    ) async -> Answer {
        await provider.token(
            [
                ("grant_type", GrantsProvider.exchangeGrant), ("subject_token", token), ("subject_token_type", type),
            ] + also, as: client)
    }

    func refusal(
        _ token: String, _ type: String = accessToken, as client: String = "service:secret",
        also: [(String, String)] = []
    ) async -> String {
        let answer = await exchange(token, type, as: client, also: also)
        #expect(answer.json?["access_token"] == nil)
        return GrantsProvider.summary(answer)
    }

    /// An access token of a user's family, for `client`.
    func userToken(
        _ client: String = "service:secret", user: String = "alice", scope: String = "openid read write",
        login: Login? = nil
    ) async throws -> (access: String, refresh: String, family: Family) {
        let id = String(client.prefix { $0 != ":" })
        let (family, refresh) = try await provider.family(client: id, user: user, scope: scope, login: login)
        let answer = await provider.refresh(refresh, as: client)
        return (try answer.text("access_token"), try answer.text("refresh_token"), family)
    }

    /// The access token of a client that acts for itself.
    func clientToken(_ client: String = "other:secret") async throws -> String {
        try await provider.token([("grant_type", "client_credentials")], as: client).text("access_token")
    }

    func claims(_ answer: Answer, audience: String = ProviderUnderTest.issuer) async throws -> JWTClaims {
        try await provider.claims(try answer.text("access_token"), audience: audience)
    }
}
