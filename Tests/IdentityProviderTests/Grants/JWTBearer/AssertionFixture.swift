import IdentityProvider
import JOSE
import OAuth
import Primitives

/// A client with a key of its own, an issuer that is trusted, and assertions of both.
struct AssertionFixture {
    let provider: GrantsProvider
    let key: SigningKey
    let partnerKey: SigningKey

    static let partner = "https://partner.example"

    init(
        configure: (inout ProviderConfiguration) -> Void = { _ in }, keyAlgorithm: SignatureAlgorithm = .es256
    ) async throws {
        let key = try SigningKey.generate(keyAlgorithm, keyID: "k1")
        let partnerKey = try SigningKey.generate(.edDSA, keyID: "p1")
        self.key = key
        self.partnerKey = partnerKey
        let keyed = try GrantsProvider.client("keyed") { $0.keys = JWKSet([key.publicJWK].compactMap { $0 }) }
        provider = try await GrantsProvider(clients: [keyed]) {
            $0.trustedIssuers = [
                TrustedIssuer(
                    identifier: Self.partner, keys: JWKSet([partnerKey.publicJWK].compactMap { $0 }))
            ]
            configure(&$0)
        }
    }

    /// What a good assertion says.
    var claims: JSONObject {
        let now = provider.now.secondsSinceEpoch
        return [
            "iss": "keyed", "sub": "alice", "aud": .string(ProviderUnderTest.issuer + "/token"),
            "exp": .number(JSONNumber(now + 60)), "iat": .number(JSONNumber(now)), "jti": "j-1",
        ]
    }

    /// With some claims in the place of the usual ones; `nil` takes one away.
    func assertion(
        _ changes: [String: JSON?] = [:], by key: SigningKey? = nil, type: String? = "JWT"
    ) throws -> String {
        var claims = self.claims
        for (name, value) in changes { claims[name] = value }
        return try JWTSigner(key: key ?? self.key, type: type).sign(claims)
    }

    func present(
        _ assertion: String, as client: String = "keyed:secret", also: [(String, String)] = []
    ) async -> Answer {
        await provider.token(
            [("grant_type", GrantsProvider.bearerGrant), ("assertion", assertion)] + also, as: client)
    }

    func ask(_ assertion: String, as client: String = "keyed:secret") async -> String {
        GrantsProvider.summary(await present(assertion, as: client))
    }
}
