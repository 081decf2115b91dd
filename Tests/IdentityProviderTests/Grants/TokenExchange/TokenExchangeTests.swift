import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// RFC 8693 section 2.
@Suite struct TokenExchangeTests {
    let fixture: ExchangeFixture

    init() async throws { fixture = try await ExchangeFixture() }

    @Test func givesAnAccessTokenToAnotherClient() async throws {
        let (access, _, _) = try await fixture.userToken()
        let answer = await fixture.exchange(access, as: "other:secret")
        #expect(answer.status == 200)
        #expect(
            Set(answer.json?.object?.names ?? []) == [
                "access_token", "token_type", "expires_in", "scope", "issued_token_type",
            ])
        #expect(answer.json?["issued_token_type"]?.string == ExchangeFixture.accessToken)
        #expect(answer.json?["token_type"] == "Bearer")
        let claims = try await fixture.claims(answer)
        #expect(claims.subject == "alice")
        #expect(claims.members["client_id"] == "other")
        #expect(claims.members["act"] == nil)
        #expect(answer.field("Cache-Control") == "no-store")
    }

    @Test func takesAccessTokensOfEitherForm() async throws {
        let (access, _, _) = try await fixture.userToken("opaque:secret")
        #expect(access.hasPrefix("at1."))
        let answer = await fixture.exchange(access, as: "other:secret")
        #expect(try await fixture.claims(answer).subject == "alice")
        let (signed, _, _) = try await fixture.userToken()
        let opaque = await fixture.exchange(signed, as: "opaque:secret")
        #expect(try opaque.text("access_token").hasPrefix("at1."))
        #expect(try await fixture.provider.isActive(try opaque.text("access_token")))
    }

    @Test func takesTheTokenOfAClientThatActsForItself() async throws {
        let answer = await fixture.exchange(try await fixture.clientToken())
        let claims = try await fixture.claims(answer)
        #expect(claims.subject == "other")
        #expect(claims.members["client_id"] == "service")
        #expect(
            await fixture.refusal(
                try await fixture.clientToken(),
                also: [
                    ("requested_token_type", ExchangeFixture.idToken)
                ]) == "400 invalid_request")
        #expect(
            await fixture.refusal(
                try await fixture.clientToken("service:secret"),
                also: [
                    ("requested_token_type", ExchangeFixture.refreshToken)
                ]) == "400 invalid_request")
    }

    /// Section 2.1: REQUIRED parameters, and types that are known.
    @Test(arguments: [
        [("subject_token", "x")], [("subject_token_type", ExchangeFixture.accessToken)], [],
        [("subject_token", "x"), ("subject_token_type", "access_token")],
        [("subject_token", "x"), ("subject_token_type", "urn:ietf:params:oauth:token-type:saml2")],
        [("subject_token", "x"), ("subject_token_type", ExchangeFixture.accessToken.uppercased())],
        [("subject_token", ""), ("subject_token_type", ExchangeFixture.accessToken)],
    ])
    func refusesARequestWithoutItsSubject(parameters: [(String, String)]) async {
        let answer = await fixture.provider.token([("grant_type", GrantsProvider.exchangeGrant)] + parameters)
        #expect(GrantsProvider.summary(answer) == "400 invalid_request")
    }

    @Test(arguments: [
        "urn:ietf:params:oauth:token-type:saml1", "access_token", "urn:ietf:params:oauth:token-type:jwt", "x",
    ])
    func refusesATypeThatIsNotIssued(type: String) async throws {
        let (access, _, _) = try await fixture.userToken()
        #expect(await fixture.refusal(access, also: [("requested_token_type", type)]) == "400 invalid_request")
    }

    /// Section 2.2.2: invalid_request when a token is invalid for any reason.
    @Test(arguments: [
        ExchangeFixture.accessToken, ExchangeFixture.refreshToken, ExchangeFixture.idToken, ExchangeFixture.jwt,
    ])
    func refusesWhatIsNoToken(type: String) async {
        for text in ["x", "at1.x", "rt1.x", "a.b.c", "null", "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9."] {
            #expect(await fixture.refusal(text, type) == "400 invalid_request")
        }
    }

    /// A token is taken for what it is, not for what it is said to be.
    @Test func refusesATokenOfAnotherTypeThanWasSaid() async throws {
        let (access, refresh, _) = try await fixture.userToken()
        let identity = try await fixture.provider.password().text("id_token")
        #expect(await fixture.refusal(access, ExchangeFixture.refreshToken) == "400 invalid_request")
        #expect(await fixture.refusal(access, ExchangeFixture.idToken) == "400 invalid_request")
        #expect(await fixture.refusal(refresh, ExchangeFixture.accessToken) == "400 invalid_request")
        #expect(await fixture.refusal(refresh, ExchangeFixture.jwt) == "400 invalid_request")
        #expect(await fixture.refusal(identity, ExchangeFixture.accessToken) == "400 invalid_request")
        #expect(await fixture.refusal(identity, ExchangeFixture.refreshToken) == "400 invalid_request")
    }

    @Test func refusesATokenOfAnotherProvider() async throws {
        let other = try await ExchangeFixture()
        let (access, refresh, _) = try await other.userToken()
        #expect(await fixture.refusal(access) == "400 invalid_request")
        #expect(await fixture.refusal(refresh, ExchangeFixture.refreshToken) == "400 invalid_request")
    }

    @Test(arguments: [(299_999, 200), (300_000, 400)])
    func refusesATokenThatHasExpired(milliseconds: Int, status: Int) async throws {
        let (access, _, _) = try await fixture.userToken()
        fixture.provider.clock.advance(by: .milliseconds(milliseconds))
        #expect(await fixture.exchange(access).status == status)
    }

    /// What is issued ends with the subject token at the latest.
    @Test(arguments: [0, 100_000, 299_000, 299_999])
    func theNewTokenDoesNotOutliveTheOld(milliseconds: Int) async throws {
        let (access, _, _) = try await fixture.userToken()
        let end = try await fixture.provider.claims(access).expires
        fixture.provider.clock.advance(by: .milliseconds(milliseconds))
        for type in [ExchangeFixture.accessToken, ExchangeFixture.idToken] {
            let answer = await fixture.exchange(access, also: [("requested_token_type", type)])
            let left = Int64(300 - milliseconds / 1000)
            #expect(answer.json?["expires_in"]?.int64 == left)
            let token = try answer.text("access_token")
            let claims =
                type == ExchangeFixture.accessToken
                ? try await fixture.provider.claims(token) : try await fixture.provider.idTokenClaims(token)
            #expect(claims.expires == end)
        }
    }

    /// What a token follows from ends it, and what was exchanged for it.
    @Test func theNewTokenEndsWithTheFamilyOfTheOld() async throws {
        let (access, _, family) = try await fixture.userToken()
        let once = try await fixture.exchange(access, as: "other:secret").text("access_token")
        let twice = try await fixture.exchange(once).text("access_token")
        #expect(try await fixture.provider.isActive(twice))
        let now = fixture.provider.now
        _ = try await fixture.provider.context.store.judge(family.id) { $0.end(.revoked, at: now) }
        for token in [access, once, twice] {
            #expect(try await !fixture.provider.isActive(token))
            #expect(await fixture.refusal(token) == "400 invalid_request")
        }
    }

    @Test func refusesATokenWhoseLoginWasEnded() async throws {
        let login = try await fixture.provider.login()
        let (access, refresh, _) = try await fixture.userToken(login: login)
        let now = fixture.provider.now
        _ = try await fixture.provider.context.store.change(login.id) { $0.ended = Family.Ending(.loggedOut, at: now) }
        #expect(await fixture.refusal(access) == "400 invalid_request")
        #expect(await fixture.refusal(refresh, ExchangeFixture.refreshToken) == "400 invalid_request")
    }

    /// Section 5: a client that proves nothing exchanges what was given to itself.
    @Test func refusesAPublicClientWithATokenOfAnother() async throws {
        let (access, _, _) = try await fixture.userToken()
        #expect(await fixture.refusal(access, as: "app") == "400 invalid_request")
        #expect(await fixture.refusal(try await fixture.clientToken(), as: "app") == "400 invalid_request")
        let (own, _, _) = try await fixture.userToken("app")
        #expect(await fixture.exchange(own, as: "app").status == 200)
    }

    @Test func refusesAClientThatMayNotUseIt() async throws {
        let (access, _, _) = try await fixture.userToken()
        #expect(await fixture.refusal(access, as: "idle:secret") == "400 unauthorized_client")
        #expect(await fixture.refusal(access, as: "web") == "400 unauthorized_client")
        #expect(await fixture.refusal(access, as: "service:wrong") == "401 invalid_client")
    }

    /// An exchange has no effect on the tokens that are presented: a refresh token is not redeemed by it.
    @Test func aRefreshTokenStaysAsGoodAsItWas() async throws {
        let (_, refresh, family) = try await fixture.userToken()
        for _ in 0..<3 {
            let answer = await fixture.exchange(refresh, ExchangeFixture.refreshToken)
            #expect(try await fixture.claims(answer).subject == "alice")
        }
        #expect(try await fixture.provider.context.store.family(family.id)?.rotation.current == 2)
        #expect(await fixture.provider.refresh(refresh).status == 200)
    }

    /// RFC 9700 section 4.14.2: one that was spent tells of a theft wherever it is shown.
    @Test func aSpentRefreshTokenEndsItsFamily() async throws {
        let (family, first) = try await fixture.provider.family()
        let second = try await fixture.provider.refresh(first).text("refresh_token")
        #expect(await fixture.refusal(first, ExchangeFixture.refreshToken) == "400 invalid_request")
        #expect(
            try await fixture.provider.context.store.family(family.id)?.ended?.reason == .refreshTokenReused)
        #expect(await fixture.refusal(second, ExchangeFixture.refreshToken) == "400 invalid_request")
    }

    @Test func refusesARefreshTokenOfAnotherClient() async throws {
        let (_, refresh, family) = try await fixture.userToken()
        #expect(
            await fixture.refusal(refresh, ExchangeFixture.refreshToken, as: "other:secret") == "400 invalid_request")
        #expect(try await fixture.provider.context.store.family(family.id)?.ended == nil)
    }

    /// RFC 9449 section 7: a bound token is worth nothing without its key.
    @Test func refusesABoundTokenWithoutItsKey() async throws {
        let bound = KeyConfirmation.proofKey(thumbprint: "x")
        let (family, refresh) = try await fixture.provider.family(client: "app", confirmation: bound)
        #expect(await fixture.refusal(refresh, ExchangeFixture.refreshToken, as: "app") == "400 invalid_request")
        #expect(try await fixture.provider.context.store.family(family.id)?.ended == nil)
        let claims: JSONObject = ["sub": "alice", "client_id": "service"]
        let facts = AccessTokenFacts.underTest(confirmation: bound, claims: claims, at: fixture.provider.now)
        try await fixture.provider.context.store.keep(AccessTokenRecord(facts), named: TokenDigest(of: "at1.bound"))
        #expect(await fixture.refusal("at1.bound") == "400 invalid_request")
    }

    @Test func takesAnIDTokenOfItsOwnAudienceAlone() async throws {
        let identity = try await fixture.provider.password().text("id_token")
        let answer = await fixture.exchange(identity, ExchangeFixture.idToken, also: [("scope", "read")])
        #expect(try await fixture.claims(answer).subject == "alice")
        #expect(await fixture.refusal(identity, ExchangeFixture.idToken, as: "other:secret") == "400 invalid_request")
        fixture.provider.clock.advance(by: .seconds(300))
        #expect(await fixture.refusal(identity, ExchangeFixture.idToken) == "400 invalid_request")
    }

    @Test func takesAnIDTokenWithASubjectOfTheClients() async throws {
        let identity = try await fixture.provider.password(as: "pair:secret").text("id_token")
        let answer = await fixture.exchange(identity, ExchangeFixture.idToken, as: "pair:secret")
        let subject = try await fixture.claims(answer).subject
        #expect(subject == (try await fixture.provider.idTokenClaims(identity, audience: "pair").subject))
        #expect(subject != "alice")
    }

    @Test func refusesAnIDTokenWhoseLoginWasEnded() async throws {
        let login = try await fixture.provider.login()
        let (_, refresh, _) = try await fixture.userToken(login: login)
        let identity = try await fixture.provider.refresh(refresh).text("id_token")
        let answer = await fixture.exchange(identity, ExchangeFixture.idToken)
        #expect(answer.status == 200)
        let now = fixture.provider.now
        _ = try await fixture.provider.context.store.change(login.id) { $0.ended = Family.Ending(.loggedOut, at: now) }
        #expect(await fixture.refusal(identity, ExchangeFixture.idToken) == "400 invalid_request")
        #expect(try await !fixture.provider.isActive(try answer.text("access_token")))
    }

    @Test func takesAnyJWT() async throws {
        let (access, _, _) = try await fixture.userToken()
        #expect(try await fixture.claims(await fixture.exchange(access, ExchangeFixture.jwt)).subject == "alice")
        let identity = try await fixture.provider.password("bob").text("id_token")
        #expect(try await fixture.claims(await fixture.exchange(identity, ExchangeFixture.jwt)).subject == "bob")
    }

    @Test func givesAnIDTokenForTheClientThatAsks() async throws {
        let (access, _, _) = try await fixture.userToken()
        let type = ("requested_token_type", ExchangeFixture.idToken)
        let answer = await fixture.exchange(access, as: "other:secret", also: [type])
        #expect(answer.json?["token_type"] == "N_A")
        #expect(answer.json?["issued_token_type"]?.string == ExchangeFixture.idToken)
        let claims = try await fixture.provider.idTokenClaims(try answer.text("access_token"), audience: "other")
        #expect(claims.subject == "alice")
        #expect(await fixture.exchange(access, also: [type, ("audience", "service")]).status == 200)
        #expect(await fixture.refusal(access, also: [type, ("audience", "other")]) == "400 invalid_target")
    }
}

extension AccessTokenFacts {
    static func underTest(confirmation: KeyConfirmation?, claims: JSONObject, at now: Timestamp) -> AccessTokenFacts {
        AccessTokenFacts(
            identifier: "jti", clientID: "service", subject: "service", familyID: nil, scope: .empty, audience: [],
            issuedAt: now, expires: now + .seconds(60), confirmation: confirmation, claims: claims)
    }
}
