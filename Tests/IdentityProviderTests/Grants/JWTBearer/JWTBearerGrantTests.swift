import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// RFC 7523 sections 2.1 and 3.
@Suite struct JWTBearerGrantTests {
    let fixture: AssertionFixture

    init() async throws { fixture = try await AssertionFixture() }

    @Test func givesAnAccessTokenForTheUser() async throws {
        let answer = await fixture.present(try fixture.assertion(), also: [("scope", "read")])
        #expect(answer.status == 200)
        let claims = try await fixture.provider.claims(try answer.text("access_token"))
        #expect(claims.subject == "alice")
        #expect(claims.members["client_id"] == "keyed")
        #expect(claims.members["scope"] == "read")
        // RFC 7521 section 4.1: no refresh token.
        #expect(answer.json?["refresh_token"] == nil)
        #expect(try await fixture.provider.isActive(try answer.text("access_token")))
    }

    @Test func believesWhomTheConfigurationTrusts() async throws {
        let assertion = try fixture.assertion(
            ["iss": .string(AssertionFixture.partner), "sub": "bob"], by: fixture.partnerKey)
        for client in ["service:secret", "keyed:secret"] {
            let answer = await fixture.present(
                try fixture.assertion(
                    ["iss": .string(AssertionFixture.partner), "sub": "bob", "jti": nil], by: fixture.partnerKey),
                as: client)
            #expect(try await fixture.provider.claims(try answer.text("access_token")).subject == "bob")
        }
        #expect(await fixture.ask(assertion, as: "app") == "200 -")
    }

    /// Section 5, RFC 7591 section 5: whoever registers himself brings his own key, and could speak for everybody.
    @Test func refusesAClientThatRegisteredItself() async throws {
        let answer = await fixture.provider.idp.register([
            "redirect_uris": ["https://app.example/callback"], "id_token_signed_response_alg": "ES256",
            "grant_types": ["authorization_code", .string(GrantsProvider.bearerGrant)],
            "jwks": fixture.key.publicKeySet,
        ])
        let client = try RegisteredClient(answer)
        let credentials = "\(client.id):\(try #require(client.secret))"
        let own = await fixture.present(try fixture.assertion(["iss": .string(client.id)]), as: credentials)
        #expect(GrantsProvider.summary(own) == "400 invalid_grant")
        #expect(own.errorDescription.contains("not in the configuration"))
        // Whom the configuration trusts is believed, whoever presents it.
        let partners = try fixture.assertion(["iss": .string(AssertionFixture.partner)], by: fixture.partnerKey)
        #expect(await fixture.ask(partners, as: credentials) == "200 -")
    }

    /// RFC 8693 section 2.2.2: an exchange is no way around what a client may not do.
    @Test(arguments: [("bare:secret", 400), ("service:secret", 200)])
    func isExchangedByThoseWhoMayUseTheGrant(client: String, status: Int) async throws {
        try fixture.provider.context.clients.add(
            GrantsProvider.client("bare") { $0.grants = [GrantsProvider.exchangeGrant] })
        let partners = try fixture.assertion(["iss": .string(AssertionFixture.partner)], by: fixture.partnerKey)
        let answer = await fixture.provider.token(
            [
                ("grant_type", GrantsProvider.exchangeGrant), ("subject_token", partners),
                ("subject_token_type", ExchangeFixture.jwt),
            ], as: client)
        #expect(answer.status == status)
        #expect(answer.error == (status == 200 ? nil : "invalid_request"))
    }

    @Test func refusesARequestWithoutAssertion() async {
        #expect(await fixture.ask("") == "400 invalid_request")
    }

    @Test(arguments: ["x", "a.b.c", "e30.e30.e30", "null", "eyJhbGciOiJub25lIn0.eyJpc3MiOiJrZXllZCJ9."])
    func refusesWhatIsNoAssertion(text: String) async {
        #expect(await fixture.ask(text) == "400 invalid_grant")
    }

    /// Section 3 items 1 to 4: iss, sub, aud and exp MUST be there.
    @Test(arguments: ["iss", "sub", "aud", "exp"])
    func refusesAnAssertionWithoutItsClaim(name: String) async throws {
        #expect(await fixture.ask(try fixture.assertion([name: nil])) == "400 invalid_grant")
    }

    @Test(
        arguments: [
            ("iss", "service"), ("iss", "KEYED"), ("iss", "https://other.example"), ("iss", ""), ("iss", 1),
            ("iss", ["keyed"]), ("sub", "nobody"), ("sub", ""), ("sub", 1), ("sub", "ALICE"),
            ("aud", "https://other.example"), ("aud", "http://localhost:8080/"),
            ("aud", "http://localhost:8080/token/"),
            ("aud", "keyed"), ("aud", []), ("aud", ["https://other.example"]), ("aud", [1]), ("aud", ""),
            ("exp", "soon"), ("nbf", "x"), ("iat", "x"), ("jti", 1),
        ] as [(String, JSON)])
    func refusesAnAssertionWithAnotherClaim(name: String, value: JSON) async throws {
        #expect(await fixture.ask(try fixture.assertion([name: value])) == "400 invalid_grant")
    }

    /// Section 3 item 3: the token endpoint or the issuer, alone or among others.
    @Test(
        arguments: [
            "http://localhost:8080/token", "http://localhost:8080",
            ["http://localhost:8080", "https://other.example"],
            ["https://other.example", "http://localhost:8080/token"],
        ] as [JSON])
    func takesItsOwnNames(audience: JSON) async throws {
        #expect(await fixture.ask(try fixture.assertion(["aud": audience])) == "200 -")
    }

    /// Section 3 items 4 to 6, with the clocks five seconds apart at most.
    @Test(arguments: [
        ("exp", 59, "200 -"), ("exp", -4, "200 -"), ("exp", -5, "400 invalid_grant"), ("exp", 305, "200 -"),
        ("exp", 3605, "200 -"), ("exp", 3606, "400 invalid_grant"), ("exp", 100_000, "400 invalid_grant"),
        ("nbf", 5, "200 -"),
        ("nbf", 6, "400 invalid_grant"), ("iat", 5, "200 -"), ("iat", 6, "400 invalid_grant"),
        ("iat", -100_000, "200 -"),
    ])
    func judgesTheDates(name: String, offset: Int64, expected: String) async throws {
        let moment = fixture.provider.now.secondsSinceEpoch + offset
        let assertion = try fixture.assertion([name: .number(JSONNumber(moment))])
        #expect(await fixture.ask(assertion) == expected)
    }

    @Test(arguments: [(64_999, "200 -"), (65_000, "400 invalid_grant")])
    func anAssertionEndsAtTheMillisecond(milliseconds: Int, expected: String) async throws {
        let assertion = try fixture.assertion()
        fixture.provider.clock.advance(by: .milliseconds(milliseconds))
        #expect(await fixture.ask(assertion) == expected)
    }

    /// Section 3 item 9: signed by the issuer, and by nobody else.
    @Test func refusesAnAssertionSignedWithAnotherKey() async throws {
        let stranger = try SigningKey.generate(.es256, keyID: "k1")
        #expect(await fixture.ask(try fixture.assertion(by: stranger)) == "400 invalid_grant")
        #expect(await fixture.ask(try fixture.assertion(by: fixture.partnerKey)) == "400 invalid_grant")
        let partners = try fixture.assertion(["iss": .string(AssertionFixture.partner)])
        #expect(await fixture.ask(partners) == "400 invalid_grant")
    }

    /// A secret is no registered key, and a published key is no secret (RFC 8725 section 3.1).
    @Test func refusesAnAssertionUnderASecret() async throws {
        let secret = try SigningKey(
            JWK(.symmetric(Secret(utf8: "a secret that is long enough for HS256"))), algorithm: .hs256, keyID: "k1")
        #expect(await fixture.ask(try fixture.assertion(by: secret)) == "400 invalid_grant")
    }

    /// Our own tokens are exchanged, not presented as assertions.
    @Test func refusesATokenOfOurOwn() async throws {
        let answer = await fixture.provider.password(as: "keyed:secret")
        for name in ["access_token", "id_token"] {
            #expect(await fixture.ask(try answer.text(name)) == "400 invalid_grant")
        }
    }

    @Test func refusesTheAssertionOfAnotherClient() async throws {
        #expect(await fixture.ask(try fixture.assertion(), as: "service:secret") == "400 invalid_grant")
        #expect(await fixture.ask(try fixture.assertion(), as: "keyed:secret") == "200 -")
    }

    /// Section 3 item 7: a jti is good once; what was refused was not used.
    @Test func refusesAnAssertionThatWasUsed() async throws {
        let assertion = try fixture.assertion()
        let refused = try fixture.assertion(["sub": "nobody"])
        #expect(await fixture.ask(refused) == "400 invalid_grant")
        #expect(await fixture.ask(assertion) == "200 -")
        for _ in 0..<2 { #expect(await fixture.ask(assertion) == "400 invalid_grant") }
        #expect(await fixture.ask(try fixture.assertion(["sub": "bob"])) == "400 invalid_grant")
        #expect(await fixture.ask(try fixture.assertion(["jti": "j-2"])) == "200 -")
        // Another issuer's same name is another thing.
        let partners = try fixture.assertion(["iss": .string(AssertionFixture.partner)], by: fixture.partnerKey)
        #expect(await fixture.ask(partners) == "200 -")
    }

    @Test func anAssertionIsRememberedAsLongAsItIsGood() async throws {
        let assertion = try fixture.assertion()
        #expect(await fixture.ask(assertion) == "200 -")
        fixture.provider.clock.advance(by: .milliseconds(64_999))
        #expect(await fixture.present(assertion).errorDescription.contains("used before"))
        fixture.provider.clock.advance(by: .milliseconds(1))
        #expect(await fixture.present(assertion).errorDescription.contains("expired"))
    }

    @Test(arguments: 1...5)
    func ofManyAtOnceOneIsTaken(round: Int) async throws {
        let fixture = self.fixture
        let assertion = try fixture.assertion()
        let answers = await withTaskGroup(of: String.self) { group in
            for _ in 0..<32 { group.addTask { await fixture.ask(assertion) } }
            return await group.reduce(into: [:] as [String: Int]) { $0[$1, default: 0] += 1 }
        }
        #expect(answers == ["200 -": 1, "400 invalid_grant": 31])
    }

    @Test func refusesAJTIThatIsTooLong() async throws {
        let name = String(repeating: "j", count: 256)
        #expect(await fixture.ask(try fixture.assertion(["jti": .string(name)])) == "400 invalid_grant")
    }

    @Test func withoutJTIItMayComeAgain() async throws {
        let assertion = try fixture.assertion(["jti": nil])
        for _ in 0..<2 { #expect(await fixture.ask(assertion) == "200 -") }
    }

    /// RFC 7523 section 3.1: the client proves itself as at every other grant.
    @Test(arguments: [
        ("keyed", "401 invalid_client"), ("keyed:wrong", "401 invalid_client"), ("", "401 invalid_client"),
        ("idle:secret", "400 unauthorized_client"),
    ])
    func refusesAClientThatDoesNotProveItselfOrMayNot(client: String, expected: String) async throws {
        #expect(await fixture.ask(try fixture.assertion(), as: client) == expected)
    }

    @Test func saysNothingBackThatWasSent() async throws {
        let answer = await fixture.present(try fixture.assertion(["iss": "<script>", "sub": "<script>"]))
        #expect(!String(decoding: answer.body, as: UTF8.self).contains("<script"))
    }

    @Test func takesAnRSAKeyWithoutItsAlgorithm() async throws {
        for algorithm in [SignatureAlgorithm.rs256, .ps512] {
            let key = try SigningKey.generate(algorithm, keyID: "r1")
            var published = try #require(key.publicJWK)
            published.algorithm = nil
            let client = try GrantsProvider.client("rsa") { $0.keys = JWKSet([published]) }
            let provider = try await GrantsProvider(clients: [client])
            var claims = fixture.claims
            claims["iss"] = "rsa"
            let assertion = try JWTSigner(key: key, type: "JWT").sign(claims)
            let answer = await provider.token(
                [("grant_type", GrantsProvider.bearerGrant), ("assertion", assertion)], as: "rsa:secret")
            #expect(answer.status == 200, "\(algorithm)")
        }
    }

    @Test(arguments: [
        [TrustedIssuer(identifier: "", keys: JWKSet([]))],
        [TrustedIssuer(identifier: "https://x.example", keys: JWKSet([]))],
    ])
    func refusesAConfigurationOfNobodyToTrust(issuers: [TrustedIssuer]) throws {
        var configuration = ProviderConfiguration(accessTokens: AccessTokenPolicy(algorithm: .es256))
        configuration.trustedIssuers = issuers
        #expect(throws: ProviderConfigurationError.self) { try configuration.check() }
    }
}
