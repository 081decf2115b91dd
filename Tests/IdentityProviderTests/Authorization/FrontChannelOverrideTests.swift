import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// Answers to authorization requests that are chosen from outside.
@Suite struct FrontChannelOverrideTests {
    let idp: ProviderUnderTest

    init() async throws { idp = try await .signIn { $0.control = .loopback } }

    private static let claims: JSONObject = [
        "access_token_claims": ["aud": "other"], "id_token_claims": ["nonce": "wrong", "sid": nil],
    ]

    private func next(_ body: JSONObject) async throws -> Answer {
        let bytes = JSON.object(body).serialised()
        return await idp.respond(.post, "/_pawl/next", [.contentType: "application/json"], body: bytes)
    }

    private func choose(_ body: JSONObject) async throws {
        let answer = try await next(body)
        #expect(answer.status == 201, "\(answer.errorDescription)")
    }

    private func answer(_ type: String, _ changes: [String: String?] = [:]) async throws -> BrowserPage {
        let all = ["response_type": type, "nonce": "n-1", "scope": "openid email"].merging(changes) { $1 }
        return try await Browser(idp).signIn(.service(all))
    }

    private func payload(_ token: String?) throws -> JSON {
        let bytes = try UnverifiedJWS(compact: try #require(token)).unverifiedPayload
        return try JSON(parsing: bytes.span)
    }

    private func waitingCount() async -> Int? {
        await idp.get("/_pawl/next").json?["next"]?.array?.count
    }

    @Test(arguments: ["token", "id_token", "id_token token", "code token", "code id_token", "code id_token token"])
    func putsClaimsOverTheTokensOfTheNextRedirectAlone(type: String) async throws {
        for endpoint in [nil, "authorize"] {
            var body = Self.claims
            if let endpoint { body["endpoint"] = .string(endpoint) }
            try await choose(body)
            let page = try await answer(type)
            if type.givesAccessToken { #expect(try payload(page.parameters["access_token"])["aud"] == "other") }
            if type.givesIDToken {
                let claims = try payload(page.parameters["id_token"])
                #expect(claims["nonce"] == "wrong")
                #expect(claims["sid"] == nil)
                #expect(claims["sub"] == "alice")
            }
            #expect(await waitingCount() == 0)
            let after = try await answer(type)
            if type.givesAccessToken {
                #expect(try payload(after.parameters["access_token"])["aud"] == .string(ProviderUnderTest.issuer))
            }
            if type.givesIDToken { #expect(try payload(after.parameters["id_token"])["nonce"] == "n-1") }
        }
    }

    /// Tokens are meant, and a code is none.
    @Test func aCodeUsesUpNoClaims() async throws {
        try await choose(Self.claims)
        let page = try await answer("code")
        #expect(await waitingCount() == 1)
        let tokens = await idp.redeemAsService(try #require(page.parameters["code"]))
        #expect(try payload(tokens.text("access_token"))["aud"] == "other")
        #expect(try payload(tokens.text("id_token"))["nonce"] == "wrong")
        #expect(await waitingCount() == 0)
    }

    /// Of a hybrid answer, both halves can be meant.
    @Test(arguments: [("authorize", true), ("token", false)])
    func whereAnEndpointIsNamedItIsForThatEndpointAlone(endpoint: String, changesRedirect: Bool) async throws {
        var body = Self.claims
        body["endpoint"] = .string(endpoint)
        body["count"] = 1
        try await choose(body)
        let page = try await answer("code id_token token")
        #expect((try payload(page.parameters["id_token"])["nonce"] == "wrong") == changesRedirect)
        #expect((try payload(page.parameters["access_token"])["aud"] == "other") == changesRedirect)
        let tokens = await idp.redeemAsService(try #require(page.parameters["code"]))
        #expect((try payload(tokens.text("id_token"))["nonce"] == "wrong") == !changesRedirect)
        #expect((try payload(tokens.text("access_token"))["aud"] == "other") == !changesRedirect)
    }

    @Test func isForTheClientThatWasNamed() async throws {
        var body = Self.claims
        body["client"] = "web"
        try await choose(body)
        #expect(try payload(try await answer("id_token").parameters["id_token"])["nonce"] == "n-1")
        #expect(await waitingCount() == 1)
    }

    /// What a client must compare it gets wrong, and what it needs it does not get.
    @Test(arguments: ["code", "id_token", "code id_token token"], [nil, "form_post"])
    func changesTheParametersOfTheAnswer(type: String, mode: String?) async throws {
        try await choose([
            "endpoint": "authorize", "members": ["state": "other", "iss": nil, "expires_in": 7, "x": [1]],
        ])
        let page = try await answer(type, ["response_mode": mode])
        #expect(page.parameters["state"] == "other")
        #expect(page.parameters["iss"] == nil)
        #expect(page.parameters["expires_in"] == "7")
        #expect(page.parameters["x"] == "[1]")
        #expect((page.parameters["code"] != nil) == type.contains("code"))
        let after = try await answer(type, ["response_mode": mode])
        #expect(after.parameters["state"] == "xyz")
        #expect(after.parameters["iss"] == ProviderUnderTest.issuer)
    }

    /// A request that is refused is no answer of the kind that was chosen.
    @Test func aRefusalUsesNothingUp() async throws {
        try await choose(["endpoint": "authorize", "members": ["state": "other"]])
        let refused = try await answer("code", ["prompt": "none"])
        #expect(refused.parameters["error"] == "login_required")
        #expect(refused.parameters["state"] == "xyz")
        #expect(try await answer("code").parameters["state"] == "other")
    }

    /// Nor is one that comes late: the user is removed while his tokens are being made.
    @Test func aRefusalAtTheLastMomentUsesNothingUp() async throws {
        let gate = FamilyGate()
        let idp = try await ProviderUnderTest.signIn(store: GatedStore(gate: gate))
        let browser = Browser(idp)
        let query = AuthorizationQuery.service(["response_type": "id_token", "nonce": "n-1"])
        #expect(try await browser.signIn(query).parameters["id_token"] != nil)
        var override = ResponseOverride(endpoint: "/authorize")
        var tokens = TokenOverride()
        tokens.members = ["state": "other"]
        override.tokens = tokens
        idp.context.overrides.add(override)
        let alice = try #require(idp.context.users[id: "alice"])
        let cookies = browser.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        gate.close()
        async let answered = idp.get(query.path, [.cookie: cookies])
        await gate.waitForSomebody()
        idp.context.users.remove(id: "alice")
        gate.open()
        #expect(await answered.field("Location")?.contains("error=login_required") == true)
        #expect(idp.context.overrides.waiting.count == 1)
        try idp.context.users.add(alice)
        #expect(try await Browser(idp).signIn(query).parameters["state"] == "other")
    }

    /// Status and body are those of the answer at the path itself, whatever that would have been.
    @Test func aStatusStandsInThePlaceOfTheLoginPage() async throws {
        try await choose(["endpoint": "authorize", "status": 503, "body": "closed"])
        let page = try await answer("code")
        #expect(page.status == 503)
        #expect(page.text == "closed")
        #expect(page.location == nil)
        #expect(try await answer("code").parameters["code"] != nil)
    }

    @Test(arguments: ["introspect", "userinfo", "discovery"])
    func refusesClaimsWhereNoTokensAreGiven(endpoint: String) async throws {
        let answer = try await next(["endpoint": .string(endpoint), "id_token_claims": ["a": 1]])
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == "id_token_claims")
    }

    @Test func saysWhichEndpointIsMeant() async throws {
        for (endpoint, shown) in [(nil, JSON.null), ("token", "/token"), ("authorize", "/authorize")]
            as [(String?, JSON)]
        {
            var body = Self.claims
            if let endpoint { body["endpoint"] = .string(endpoint) }
            #expect(try await next(body).json?["endpoint"] == shown)
        }
    }
}

extension String {
    /// Of a response type: what OAuth 2.0 Multiple Response Types section 3 to 5 promise with it.
    fileprivate var givesAccessToken: Bool { split(separator: " ").contains("token") }
    fileprivate var givesIDToken: Bool { split(separator: " ").contains("id_token") }
}
