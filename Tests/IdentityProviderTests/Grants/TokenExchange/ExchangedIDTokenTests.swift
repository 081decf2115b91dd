import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// What an ID token proves to the provider that gave it (RFC 8693 section 2.1).
@Suite struct ExchangedIDTokenTests {
    let fixture: ExchangeFixture

    private static let secret = "a secret of the client, long enough for HS256"
    private static let symmetric = "symmetric:" + secret

    init() async throws {
        fixture = try await ExchangeFixture(clients: [
            try GrantsProvider.client("symmetric", secret: Self.secret) { $0.idTokenAlgorithm = .hs256 },
            try GrantsProvider.client("remembered") {
                $0.consent = .remembered
                $0.defaultScope = try Scope(parsing: "read write")
            },
            try GrantsProvider.client("always") {
                $0.consent = .always
                $0.defaultScope = try Scope(parsing: "read write")
            },
        ])
    }

    /// OpenID Connect Core section 10.1: the key is the client's secret, so that the client could have made it itself.
    @Test(arguments: [ExchangeFixture.idToken, ExchangeFixture.jwt])
    func refusesATokenUnderTheSecretOfTheClient(type: String) async throws {
        let given = try await fixture.provider.password(as: Self.symmetric).text("id_token")
        #expect(await fixture.refusal(given, type, as: Self.symmetric) == "400 invalid_request")
        let key = try SigningKey(JWK(.symmetric(Secret(utf8: Self.secret))), algorithm: .hs256)
        let now = fixture.provider.now.secondsSinceEpoch
        let claims: JSONObject = [
            "iss": .string(ProviderUnderTest.issuer), "sub": "bob", "aud": "symmetric",
            "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 60)),
        ]
        let forged = try JWTSigner(key: key, type: "JWT", namesKey: false).sign(claims)
        #expect(await fixture.refusal(forged, type, as: Self.symmetric) == "400 invalid_request")
        let (access, _, _) = try await fixture.userToken(Self.symmetric)
        let actor = [("actor_token", forged), ("actor_token_type", type)]
        #expect(await fixture.refusal(access, as: Self.symmetric, also: actor) == "400 invalid_request")
    }

    @Test func saysWhyATokenUnderTheSecretIsRefused() async throws {
        let given = try await fixture.provider.password(as: Self.symmetric).text("id_token")
        let answer = await fixture.exchange(given, ExchangeFixture.idToken, as: Self.symmetric)
        #expect(answer.errorDescription.contains("its own secret"))
    }

    /// A key may be shared by tenants, or by providers: the name tells them apart.
    @Test(arguments: [ProviderUnderTest.issuer + "/t/other", "another", ""])
    func refusesATokenOfAnotherIssuer(issuer: String) async throws {
        var override = TokenOverride()
        override.idTokenClaims = ["iss": .string(issuer)]
        fixture.provider.context.overrides.add(override)
        let identity = try await fixture.provider.password().text("id_token")
        #expect(await fixture.refusal(identity, ExchangeFixture.idToken) == "400 invalid_request")
        let own = try await fixture.provider.password().text("id_token")
        #expect(await fixture.exchange(own, ExchangeFixture.idToken).status == 200)
    }

    /// An ID token says nothing of scopes. Where users are asked, it is good for what they agreed to.
    @Test(arguments: ["remembered", "always"])
    func isGoodForWhatTheUserAgreedTo(client: String) async throws {
        let credentials = client + ":secret"
        let identity = try await fixture.provider.password(as: credentials).text("id_token")
        let read = [("scope", "read")]
        #expect(
            await fixture.refusal(identity, ExchangeFixture.idToken, as: credentials, also: read)
                == "400 invalid_scope")
        let before = await fixture.exchange(identity, ExchangeFixture.idToken, as: credentials)
        #expect(before.status == 200)
        #expect(before.json?["scope"] == nil)

        let store = fixture.provider.context.store
        let (mine, others) = (try Scope(parsing: "openid read"), try Scope(parsing: "write"))
        try await store.rememberConsent(mine, of: mine, by: "alice", to: client, for: [])
        try await store.rememberConsent(others, of: others, by: "bob", to: client, for: [])
        let asked = await fixture.exchange(identity, ExchangeFixture.idToken, as: credentials, also: read)
        #expect(asked.json?["scope"] == "read")
        let usual = await fixture.exchange(identity, ExchangeFixture.idToken, as: credentials)
        #expect(usual.json?["scope"] == "read")
        for scope in ["write", "read write"] {
            #expect(
                await fixture.refusal(
                    identity, ExchangeFixture.idToken, as: credentials, also: [("scope", scope)])
                    == "400 invalid_scope")
        }
        // RFC 8707: for another target he has agreed to nothing.
        for target in [("resource", "https://api.example/"), ("audience", "api")] {
            #expect(
                await fixture.refusal(identity, ExchangeFixture.idToken, as: credentials, also: read + [target])
                    == "400 invalid_scope")
        }
    }
}
