import Crypto
import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// The response types that carry tokens in the redirect.
@Suite struct FrontChannelTests {
    let idp: ProviderUnderTest

    init() async throws { idp = try await .signIn() }

    private func answer(_ type: String, _ changes: [String: String?] = [:]) async throws -> BrowserPage {
        let all = ["response_type": type, "nonce": "n-1", "scope": "openid email"].merging(changes) { $1 }
        return try await Browser(idp).signIn(.service(all))
    }

    private static let types = [
        "token", "id_token", "id_token token", "code token", "code id_token", "code id_token token",
    ]

    @Test(arguments: FrontChannelTests.types)
    func givesWhatIsAskedForAndNothingElse(type: String) async throws {
        let page = try await answer(type)
        // RFC 6749 section 4.2.2: in the fragment, which no server sees.
        #expect(page.location?.hasPrefix("http://127.0.0.1/callback#") == true)
        let words = type.split(separator: " ")
        #expect((page.parameters["code"] != nil) == words.contains("code"))
        #expect((page.parameters["access_token"] != nil) == words.contains("token"))
        #expect((page.parameters["token_type"] != nil) == words.contains("token"))
        #expect((page.parameters["expires_in"] != nil) == words.contains("token"))
        #expect((page.parameters["id_token"] != nil) == words.contains("id_token"))
        // RFC 6749 section 4.2.2: MUST NOT issue a refresh token.
        #expect(page.parameters["refresh_token"] == nil)
        #expect(page.parameters["state"] == "xyz")
        #expect(page.parameters["iss"] == ProviderUnderTest.issuer)
    }

    private func half(_ text: String?) -> String? {
        text.map { Base64URL.encode(Array(HashFunction.sha256.digest(Array($0.utf8).span).prefix(16))) }
    }

    /// OpenID Connect Core sections 3.2.2.10 and 3.3.2.11.
    @Test(arguments: FrontChannelTests.types.filter { $0.contains("id_token") })
    func bindsTheIDTokenToWhatComesWithIt(type: String) async throws {
        let page = try await answer(type)
        let claims = try await idp.verifiedIDToken(
            try #require(page.parameters["id_token"]), for: "service"
        ).claims
        #expect(claims["nonce"] == "n-1")
        #expect(claims["at_hash"]?.string == half(page.parameters["access_token"]))
        #expect(claims["c_hash"]?.string == half(page.parameters["code"]))
        #expect(claims["sid"] != nil)
    }

    @Test(arguments: FrontChannelTests.types.filter { $0.contains("id_token") })
    func refusesARequestWithoutNonce(type: String) async throws {
        let page = try await answer(type, ["nonce": nil])
        #expect(page.parameters["error"] == "invalid_request")
        #expect(page.location?.contains("#error=") == true)
    }

    @Test(arguments: FrontChannelTests.types.filter { $0.contains("id_token") })
    func refusesAnIDTokenWithoutOpenID(type: String) async throws {
        #expect(try await answer(type, ["scope": "email"]).parameters["error"] == "invalid_request")
    }

    /// OAuth 2.0 Multiple Response Types section 3: a token MUST NOT be returned in the query.
    @Test(arguments: FrontChannelTests.types)
    func putsNoTokenIntoAQuery(type: String) async throws {
        let page = try await answer(type, ["response_mode": "query"])
        #expect(page.parameters["error"] == "invalid_request")
        #expect(page.location?.contains("?") == false)
    }

    /// OAuth 2.0 Form Post Response Mode section 2.
    @Test(arguments: FrontChannelTests.types + ["code"])
    func postsTheAnswerWhereThatIsAskedFor(type: String) async throws {
        let page = try await answer(type, ["response_mode": "form_post"])
        #expect(page.status == 200)
        #expect(page.location == nil)
        #expect(page.form?.action == AuthorizationQuery.redirectURI)
        #expect(page.parameters["state"] == "xyz")
        #expect((page.parameters["access_token"] != nil) == (type.split(separator: " ").contains("token")))
        #expect(page.answer.field("Cache-Control") == "no-store")
        #expect(
            page.answer.field("Content-Security-Policy")?.contains(
                "form-action 'self' https: http: http://127.0.0.1:*;") == true)
    }

    /// RFC 9700 section 2.1.2: SHOULD NOT be used, and is not by anybody who did not ask for it.
    @Test(arguments: FrontChannelTests.types)
    func isOffForClientsThatDidNotRegisterIt(type: String) async throws {
        for client in ["web", "native"] {
            let page = try await Browser(idp).authorize([
                "client_id": client, "response_type": type, "nonce": "n",
            ])
            #expect(page.parameters["error"] == "unauthorized_client")
        }
    }

    /// Where any client is taken as it comes, it may do what the provider says of itself, and no more.
    @Test(arguments: [[], [.password], [.implicit], [.hybrid], [.implicit, .hybrid]] as [Set<LegacyFeature>])
    func clientsThatNobodyRegisteredGetWhatIsNamed(legacy: Set<LegacyFeature>) async throws {
        let idp = try await ProviderUnderTest(clients: [], users: StandardUsers.all()) {
            $0.allowances = [.anyClient, .automaticLogin]
            $0.legacy = legacy
        }
        let metadata = await idp.get("/.well-known/openid-configuration").json
        let advertised = Set((metadata?["response_types_supported"]?.array ?? []).compactMap(\.string))
        #expect(advertised.contains("token") == legacy.contains(.implicit))
        for type in Self.types + ["code"] {
            let page = try await Browser(idp).open(
                AuthorizationQuery(["client_id": "anybody", "response_type": type, "nonce": "n"]).path)
            let error = page.parameters["error"]
            #expect(error == (advertised.contains(type) ? nil : "unauthorized_client"), "\(type)")
        }
        let answer = await idp.token("grant_type=password&username=alice&password=alice", basic: "anybody:any")
        #expect((answer.status == 200) == legacy.contains(.password))
        let grants = metadata?["grant_types_supported"]?.array ?? []
        #expect(grants.contains("password") == legacy.contains(.password))
    }

    /// What is on may change while it runs, for those who have come already too.
    @Test func clientsThatNobodyRegisteredFollowWhatIsNamed() async throws {
        let idp = try await ProviderUnderTest(clients: [], users: StandardUsers.all()) {
            $0.allowances = [.anyClient, .automaticLogin]
        }
        let query = AuthorizationQuery(["client_id": "anybody", "response_type": "token"])
        for legacy in [[], [.implicit], []] as [Set<LegacyFeature>] {
            try idp.context.configure { $0.legacy = legacy }
            let page = try await Browser(idp).open(query.path)
            #expect((page.parameters["access_token"] != nil) == legacy.contains(.implicit))
        }
    }

    /// A token of the redirect is bound to nothing, so that a client that takes bound ones only cannot have it.
    @Test func givesNoUnboundTokenToAClientThatWantsBoundOnes() async throws {
        let idp = try await ProviderUnderTest.signIn([
            .underTest("bound", secret: "secret") { metadata in
                metadata.responseTypes = [.token]
                metadata.requiresDPoP = true
            }
        ])
        let query = AuthorizationQuery(["client_id": "bound", "response_type": "token"])
        #expect(try await Browser(idp).open(query.path).parameters["error"] == "unauthorized_client")
    }

    /// OpenID Connect Core section 3.3.3: the code of a hybrid answer gives tokens as any other.
    @Test func aHybridCodeGoesOnWithWhatTheRedirectBegan() async throws {
        let page = try await answer("code id_token token")
        let front = try #require(page.parameters["access_token"])
        let code = try #require(page.parameters["code"])
        let tokens = await idp.redeemAsService(code)
        #expect(tokens.json?["refresh_token"] != nil)
        let back = try tokens.text("access_token")
        #expect(try await idp.isActive(front))
        #expect(try await idp.isActive(back))
        // RFC 6749 section 4.1.2: a replay ends all of it.
        #expect(await idp.redeemAsService(code).error == "invalid_grant")
        #expect(try await !idp.isActive(front))
        #expect(try await !idp.isActive(back))
    }

    /// RFC 9449 section 5: the family has begun without a key, so that its refresh tokens cannot be bound to one any more.
    /// That refusal spends nothing.
    @Test func aKeyThatComesAfterAHybridAnswerLeavesTheCodeAsItWas() async throws {
        let idp = try await ProviderUnderTest.signIn([
            .underTest("hybrid") { $0.responseTypes = [[.code, .idToken]] }
        ])
        let query = AuthorizationQuery(["client_id": "hybrid", "response_type": "code id_token", "nonce": "n-1"])
        let code = try #require(try await Browser(idp).signIn(query).parameters["code"])
        let form = FormParameters([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", AuthorizationQuery.redirectURI),
            ("client_id", "hybrid"), ("code_verifier", AuthorizationQuery.verifier),
        ]).encoded
        let proof = try ProofClient(at: idp.clock.now()).proof()
        #expect(await idp.token(form, proofs: [proof], basic: nil).error == "invalid_grant")
        let tokens = await idp.token(form)
        #expect(tokens.status == 200)
        #expect(tokens.json?["token_type"] == "Bearer")
    }

    /// OpenID Connect Core section 5.4: without an access token, the claims have no other way.
    @Test func putsTheClaimsIntoAnIDTokenThatComesAlone() async throws {
        let idp = try await ProviderUnderTest.signIn { $0.idTokens.userClaims = .withoutAccessToken }
        for (type, hasEmail) in [("id_token", true), ("id_token token", false), ("code id_token", false)] {
            let page = try await Browser(idp).signIn(
                .service(["response_type": type, "nonce": "n", "scope": "openid email"]))
            let token = try await idp.verifiedIDToken(
                try #require(page.parameters["id_token"]), for: "service")
            #expect((token.claims["email"] != nil) == hasEmail)
        }
    }

    @Test func isSilentWhereItIsAskedToBe() async throws {
        let browser = Browser(idp)
        let query = AuthorizationQuery.service([
            "response_type": "id_token token", "nonce": "n", "prompt": "none",
        ])
        let stranger = try await browser.open(query.path)
        #expect(stranger.parameters["error"] == "login_required")
        #expect(stranger.location?.contains("#error=") == true)
        _ = try await browser.signIn()
        #expect(try await browser.open(query.path).parameters["id_token"] != nil)
    }
}
