import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import TestSupport
import Testing

@Suite struct IntrospectionTests {
    /// RFC 7662 section 2.2, for a signed and for an opaque token alike.
    @Test(arguments: ["app", "blind"]) func tellsWhatAnAccessTokenStandsFor(client: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise(client, scope: "openid email")
        let answer = await idp.introspect(tokens.accessToken)
        #expect(answer.status == 200)
        #expect(answer.field("Content-Type") == "application/json")
        #expect(answer.field("Cache-Control") == "no-store")
        let members = try #require(answer.json?.object)
        let now = idp.clock.now().secondsSinceEpoch
        let expected: JSONObject = [
            "active": true, "scope": "openid email", "client_id": .string(client), "username": "alice",
            "token_type": "Bearer", "sub": "alice", "iss": .string(ProviderUnderTest.issuer),
            "aud": .string(ProviderUnderTest.issuer), "iat": .number(JSONNumber(now)),
            "exp": .number(JSONNumber(now + 300)), "auth_time": .number(JSONNumber(now)),
            "acr": "urn:pawl:acr:password",
        ]
        for (name, value) in expected { #expect(members[name] == value, "\(name)") }
        #expect(members["jti"]?.string?.hasPrefix(tokens.familyID.description) == true)
    }

    @Test func tellsOfATokenThatNoUserAuthorised() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let members = await idp.introspect(try await idp.accessToken()).json
        #expect(members?["active"] == true)
        #expect(members?["sub"] == "service")
        #expect(members?["username"] == nil)
    }

    @Test func tellsOfARefreshTokenToItsClient() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise(scope: "openid email", actor: ["sub": "support"])
        let members = try #require(await idp.introspect(tokens.refreshToken, as: "app").json?.object)
        let now = idp.clock.now().secondsSinceEpoch
        let expected: JSONObject = [
            "active": true, "scope": "openid email", "client_id": "app", "username": "alice", "sub": "alice",
            "iss": .string(ProviderUnderTest.issuer), "iat": .number(JSONNumber(now)),
            "exp": .number(JSONNumber(now + 86_400)), "auth_time": .number(JSONNumber(now)),
            "acr": "urn:pawl:acr:password", "act": ["sub": "support"],
        ]
        #expect(members == expected)
    }

    /// That of the policy, where it is the sooner one.
    @Test func tellsTheEndOfARefreshTokenThatThePolicySets() async throws {
        let policy = try RotationPolicy(parsing: "strict,absolute=1h")
        let idp = try await ProviderUnderTest.withResources { $0.rotation = policy }
        let tokens = try await idp.authorise()
        let members = await idp.introspect(tokens.refreshToken, as: "app").json
        #expect(members?["exp"] == .number(JSONNumber(idp.clock.now().secondsSinceEpoch + 3600)))
    }

    /// Whoever asks whether a refresh token is good has not used it.
    @Test(arguments: RotationPolicy.profiles) func spendsNoRefreshToken(policy: RotationPolicy) async throws {
        let idp = try await ProviderUnderTest.withResources { $0.rotation = policy }
        let tokens = try await idp.authorise()
        for _ in 0..<3 { #expect(await idp.isGood(tokens.refreshToken, as: "app") == true) }
        // The spent one: asking does not count as using it, which would end the family.
        _ = await idp.isGood(tokens.spentRefreshToken, as: "app")
        #expect(await idp.refresh(tokens.refreshToken, as: "app").status == 200)
    }

    @Test func aSpentRefreshTokenIsNotActive() async throws {
        let idp = try await ProviderUnderTest.withResources()
        #expect(await idp.isGood(try await idp.authorise().spentRefreshToken, as: "app") == false)
    }

    @Test func aRefreshTokenIsNotActiveOnceItsTimeIsOver() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise(lasting: .seconds(60))
        idp.clock.advance(by: .seconds(59))
        #expect(await idp.isGood(tokens.refreshToken, as: "app") == true)
        idp.clock.advance(by: .seconds(1))
        #expect(await idp.isGood(tokens.refreshToken, as: "app") == false)
    }

    /// RFC 7662 section 2.2: nothing is told of why.
    @Test func saysOfEverythingElseThatItIsNotActiveAndNotWhy() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        let ended = try await idp.authorise()
        _ = await idp.revoke(ended.refreshToken)
        let revoked = try await idp.authorise()
        _ = await idp.revoke(revoked.accessToken)
        let foreign = try await ProviderUnderTest.withResources().authorise()
        let others = [
            "x", "at1.x", "rt1.x", tokens.accessToken + "x", try #require(tokens.idToken), ended.accessToken,
            ended.refreshToken, revoked.accessToken, foreign.accessToken, foreign.refreshToken, tokens.refreshToken,
        ]
        for token in others {
            let answer = await idp.introspect(token)
            #expect(answer.status == 200)
            #expect(answer.json == ["active": false])
        }
    }

    @Test(arguments: ["app", "blind"]) func anAccessTokenIsNotActiveOnceItsTimeIsOver(client: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise(client).accessToken
        idp.clock.advance(by: .seconds(299))
        #expect(await idp.isGood(token) == true)
        idp.clock.advance(by: .seconds(1))
        #expect(await idp.isGood(token) == false)
    }

    /// Its families do not depend on it, but what it was given ends with it.
    @Test func aTokenIsNotActiveWithoutItsClient() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.accessToken()
        #expect(await idp.isGood(token) == true)
        idp.context.clients.remove("service")
        #expect(await idp.isGood(token) == false)
    }

    @Test func aTokenEndsWithTheLoginThatItDependsOn() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let now = idp.clock.now()
        let login = Login(
            id: LoginID("l"), userID: "alice", authentication: Authentication(at: now, methods: ["pwd"]),
            expires: now + .seconds(3600))
        try await idp.context.store.keep(login)
        let tokens = try await idp.authorise(loginID: login.id)
        #expect(await idp.isGood(tokens.accessToken) == true)
        _ = try await idp.context.store.change(login.id) { $0.ended = Family.Ending(.loggedOut, at: now) }
        #expect(await idp.isGood(tokens.accessToken) == false)
        #expect(await idp.isGood(tokens.refreshToken, as: "app") == false)
    }

    /// RFC 7662 section 2.1: the hint is a hint.
    @Test(arguments: ["access_token", "refresh_token", "id_token", "anything"])
    func theHintIsOnlyAHint(hint: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise()
        for token in [tokens.accessToken, tokens.refreshToken] {
            #expect(await idp.introspect(token, as: "app", hint: hint).json?["active"] == true)
        }
    }

    /// Whoever is taken as he comes is taken here too.
    @Test func aClientThatNobodyRegisteredMayAsk() async throws {
        let idp = try await ProviderUnderTest.withResources { $0.allowances = .anyClient }
        let token = try await idp.authorise().accessToken
        #expect(await idp.token("token=\(token)", basic: "anybody:x", path: "/introspect").json?["active"] == true)
        // One that is registered as public is not.
        #expect(await idp.token("token=\(token)&client_id=spa", path: "/introspect").error == "invalid_client")
    }

    /// RFC 7662 section 2.2: what a test had written into a token is told, and does not say whether it is good.
    @Test func noClaimSaysWhetherATokenIsActive() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let next: JSON = ["access_token_claims": ["active": false, "token_type": "other"]]
        let told = await idp.respond(
            .post, "/_pawl/next", [.contentType: "application/json"], body: next.serialised())
        #expect(told.status < 300)
        let token = try await idp.accessToken()
        let answer = await idp.introspect(token).json
        #expect(answer?["active"] == true)
        #expect(answer?["token_type"] == "Bearer")
    }

    /// RFC 7662 section 5: a name that the client was not to know.
    @Test func aPairwiseClientIsNotToldWhoTheUserIs() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let tokens = try await idp.authorise("pair")
        for answer in [
            await idp.introspect(tokens.accessToken), await idp.introspect(tokens.refreshToken, as: "pair"),
        ] {
            #expect(answer.json?["active"] == true)
            #expect(!String(decoding: answer.body, as: UTF8.self).contains("alice"))
        }
    }

    /// RFC 7662 section 2.1: the endpoint MUST require authorization.
    @Test func refusesWhoeverDoesNotAuthenticate() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        for (form, basic) in [
            ("token=\(token)", nil), ("token=\(token)&client_id=spa", nil), ("token=\(token)&client_id=api", nil),
            ("token=\(token)", "api:wrong"), ("token=\(token)", "nobody:secret"),
        ] {
            let answer = await idp.token(form, basic: basic, path: "/introspect")
            #expect(answer.status == 401)
            #expect(answer.error == "invalid_client")
            #expect(answer.json?["active"] == nil)
        }
        #expect(await idp.token("token=\(token)", authorization: "Bearer \(token)", path: "/introspect").status == 401)
    }

    /// A refusal says what to do, and names no way that this endpoint does not take.
    @Test(arguments: ["", "&client_id=spa", "&client_id=nobody"])
    func saysHowToAuthenticateAndNeverNone(form: String) async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        let answer = await idp.token("token=\(token)\(form)", path: "/introspect")
        #expect(answer.status == 401)
        #expect(answer.errorDescription.contains("client_secret_basic"), "\(answer.errorDescription)")
        #expect(!answer.errorDescription.contains("none"), "\(answer.errorDescription)")
    }

    /// Where any client is taken as it comes, its name is enough here as everywhere.
    @Test func answersAClientThatIsTakenAsItComes() async throws {
        let idp = try await ProviderUnderTest.withResources { $0.allowances = [.anyClient] }
        let token = try await idp.authorise().accessToken
        let answer = await idp.token("token=\(token)&client_id=anybody", path: "/introspect")
        #expect(answer.json?["active"] == true)
    }

    @Test func refusesARequestWithoutToken() async throws {
        let idp = try await ProviderUnderTest.withResources()
        for form in ["", "token=", "token=a&token=a"] {
            #expect(await idp.token(form, basic: "api:api-secret", path: "/introspect").error == "invalid_request")
        }
        let inURL = await idp.token("", basic: "api:api-secret", path: "/introspect?token=a")
        #expect(inURL.error == "invalid_request")
    }

    /// RFC 7662 section 2.1: POST, so that no token is in a URL.
    @Test(arguments: [HTTPRequest.Method.get, .put, .delete]) func answersPOSTAlone(method: HTTPRequest.Method)
        async throws
    {
        let answer = await (try await ProviderUnderTest.withResources()).respond(method, "/introspect")
        #expect(answer.status == 405)
        #expect(answer.field("Allow") == "POST, OPTIONS")
    }

    @Test func neverLogsAToken() async throws {
        let idp = try await ProviderUnderTest.withResources()
        let token = try await idp.authorise().accessToken
        _ = await idp.introspect(token)
        _ = await idp.token("token=\(token)", basic: "api:wrong", path: "/introspect")
        #expect(!idp.log.lines.contains { $0.contains(token) })
    }

    /// RFC 7662 section 2.2: what the answer says of itself no rule and no claim says for it.
    @Test(arguments: ["app", "pair"]) func noClaimReplacesAMemberOfTheAnswer(client: String) async throws {
        let rules = try ClaimRules(parsing: [["set": ["username": "mallory", "department": "x"]]])
        let idp = try await ProviderUnderTest.withResources { $0.claimRules = rules }
        let members = await idp.introspect(try await idp.authorise(client).accessToken).json
        #expect(members?["active"] == true)
        #expect(members?["department"] == "x")
        #expect(members?["username"] == (client == "app" ? "alice" : nil))
        let ofNobody = await idp.introspect(try await idp.accessToken()).json
        #expect(ofNobody?["department"] == "x")
        #expect(ofNobody?["username"] == nil)
    }

    /// All but `username`, which is nothing but a claim in a token.
    @Test(arguments: [
        "active", "scope", "client_id", "token_type", "exp", "iat", "nbf", "sub", "aud", "iss", "jti",
    ])
    func noRuleSetsAMemberOfTheAnswer(name: String) {
        #expect(throws: ClaimRuleError.self) { try ClaimRules(parsing: [["set": .object([name: "x"])]]) }
        #expect(throws: ClaimRuleError.self) { try ClaimRules(parsing: [["remove": [.string(name)]]]) }
    }
}
