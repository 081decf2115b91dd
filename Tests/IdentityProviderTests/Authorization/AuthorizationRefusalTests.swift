import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite struct AuthorizationRefusalTests {
    let idp: ProviderUnderTest

    init() async throws {
        idp = try await .signIn([
            .underTest("shop", redirects: ["https://shop.example/cb?shop=1"]),
            .underTest("limited") { metadata in
                metadata.scopes = .listed(try Scope(parsing: "openid read"))
            },
            .underTest("pushing") { $0.requiresPushedRequests = true },
            .underTest("signing") { $0.requiresSignedRequestObjects = true },
        ])
    }

    /// RFC 6749 section 4.1.2.1: MUST NOT automatically redirect the user-agent to the invalid redirection URI.
    @Test(arguments: [
        "https://evil.example/", "http://127.0.0.1/callback/", "http://127.0.0.1/Callback",
        "http://127.0.0.1/callback?x=1",
        "http://127.0.0.1/callback#", "http://127.0.0.1/callback#x", "https://127.0.0.1/callback",
        "http://127.0.0.1@evil.example/callback", "http://evil.example/callback",
        "http://127.0.0.1.evil.example/callback",
        "http://127.0.0.1/callback/../evil", "http://127.0.0.1/%63allback", "//127.0.0.1/callback", "/callback",
        "javascript:alert(1)", "data:text/html,x", "http://127.1/callback", "http://2130706433/callback",
        "http://[::ffff:127.0.0.1]/callback", "http://127.0.0.1\\@evil.example/callback", " http://127.0.0.1/callback",
        "http://127.0.0.1/callback\r\nSet-Cookie: a=b", "http://127.0.0.1/c\u{0430}llback", "HTTP://127.0.0.1/callback",
        "com.example.app:/callback", "http://127.0.0.1/callback%00", "http://127.0.0.1/callback;x",
        "http://127.0.0.1:65536/callback", "http://127.0.0.1:80:80/callback", "http://xn--e1awd7f.example/callback",
    ])
    func neverRedirectsToAnUnregisteredURI(uri: String) async throws {
        let browser = Browser(idp)
        for extra in [["prompt": "none"], ["response_type": "nonsense"], ["scope": ""]] {
            let page = try await browser.authorize(extra.merging(["redirect_uri": uri]) { $1 })
            #expect(page.location == nil)
            #expect(page.status == 400)
            #expect(page.isHTML)
            #expect(page.answer.field("Set-Cookie") == nil)
            // Nor may the page lead there.
            #expect(!page.text.contains("evil.example"))
        }
    }

    @Test func neverRedirectsForAClientThatIsNotKnown() async throws {
        for id in ["nobody", "", "WEB", "web ", "wéb"] {
            let page = try await Browser(idp).authorize(["client_id": id])
            #expect(page.status == 400)
            #expect(page.location == nil)
        }
        #expect(try await Browser(idp).authorize(["client_id": nil]).status == 400)
    }

    @Test(arguments: ["client_id", "redirect_uri"])
    func neverRedirectsWhereItIsNotClearWhose(name: String) async throws {
        var query = AuthorizationQuery()
        query.add(name, try #require(query[name]))
        let page = try await Browser(idp).open(query.path)
        #expect(page.status == 400)
        #expect(page.location == nil)
    }

    /// RFC 8252 section 7.3: any port of a loopback address, and nothing else.
    @Test(arguments: ["http://127.0.0.1:49152/callback", "http://[::1]:1/callback", "http://localhost:3000/callback"])
    func takesAnyPortOfALoopbackAddress(uri: String) async throws {
        let page = try await Browser(idp).signIn(AuthorizationQuery(["redirect_uri": uri]))
        #expect(page.location?.hasPrefix(uri + "?") == true)
        // RFC 6749 section 4.1.3: the token request says the same, port included.
        let code = try #require(page.parameters["code"])
        #expect(await idp.redeem(code, ["redirect_uri": "http://127.0.0.1:1/callback"]).error == "invalid_grant")
        #expect(await idp.redeem(code, ["redirect_uri": uri]).status == 200)
    }

    @Test func keepsTheQueryOfTheRedirectURI() async throws {
        let page = try await Browser(idp).signIn(
            AuthorizationQuery(["client_id": "shop", "redirect_uri": "https://shop.example/cb?shop=1"]))
        #expect(page.location?.hasPrefix("https://shop.example/cb?shop=1&code=") == true)
    }

    /// OpenID Connect Core section 3.1.2.1: REQUIRED. RFC 6749 section 3.1.2.3: not, where one is registered.
    @Test func letsAPlainRequestLeaveOutTheOnlyRedirectURI() async throws {
        let browser = Browser(idp)
        let openID = try await browser.authorize(["client_id": "shop", "redirect_uri": nil])
        #expect(openID.status == 400)
        let several = try await browser.authorize(["redirect_uri": nil, "scope": "read"])
        #expect(several.status == 400)
        let page = try await browser.signIn(
            AuthorizationQuery(["client_id": "shop", "redirect_uri": nil, "scope": "read"]))
        let code = try #require(page.parameters["code"])
        #expect(await idp.redeem(code, ["client_id": "shop", "redirect_uri": nil]).status == 200)
    }

    /// What is wrong with the rest of a request, its client hears.
    @Test(
        arguments: [
            (["response_type": nil], "invalid_request"),
            (["response_type": "nonsense"], "unsupported_response_type"),
            (["response_type": "none"], "unsupported_response_type"),
            (["response_type": "code code"], "invalid_request"),
            (["response_type": "Code"], "unsupported_response_type"),
            (["response_type": "token"], "unauthorized_client"),
            (["response_type": "id_token", "nonce": "n"], "unauthorized_client"),
            (["response_type": "code id_token", "nonce": "n"], "unauthorized_client"),
            (["response_mode": "web_message"], "invalid_request"),
            (["scope": "a  b"], "invalid_scope"),
            (["scope": "a\"b"], "invalid_scope"),
            (["code_challenge": nil], "invalid_request"),
            (["code_challenge": nil, "code_challenge_method": nil], "invalid_request"),
            (["code_challenge": "short"], "invalid_request"),
            (["code_challenge_method": "plain"], "invalid_request"),
            (["code_challenge_method": nil], "invalid_request"),
            (["code_challenge_method": "s256"], "invalid_request"),
            (["code_challenge_method": "S512"], "invalid_request"),
            (["prompt": "none login"], "invalid_request"),
            (["prompt": "maybe"], "invalid_request"),
            (["max_age": "-1"], "invalid_request"),
            (["max_age": "1.5"], "invalid_request"),
            (["claims": "{"], "invalid_request"),
            (["claims": "[]"], "invalid_request"),
            (["display": "huge"], "invalid_request"),
            (["resource": "not a URI"], "invalid_target"),
            (["resource": "https://api.example/#fragment"], "invalid_target"),
            (["dpop_jkt": "short"], "invalid_request"),
            (["request": "e30.e30."], "invalid_request_object"),
            (["request_uri": "https://client.example/r"], "request_uri_not_supported"),
            (["request_uri": "urn:ietf:params:oauth:request_uri:x"], "invalid_request_uri"),
            (["registration": "{}"], "registration_not_supported"),
            (["id_token_hint": "e30.e30.e30"], "invalid_request"),
            (["nonce": String(repeating: "n", count: 1025)], "invalid_request"),
            (
                ["claims": #"{"id_token":{"acr":{"essential":true,"values":["gold"]}}}"#],
                "unmet_authentication_requirements"
            ),
            // A hint is looked at last, for to look at it costs a signature.
            (
                [
                    "claims": #"{"id_token":{"acr":{"essential":true,"values":["gold"]}}}"#,
                    "id_token_hint": "e30.e30.e30",
                ], "unmet_authentication_requirements"
            ),
            (["prompt": "none", "id_token_hint": "e30.e30.e30", "display": "huge"], "invalid_request"),
            (["client_id": "limited", "scope": "openid write"], "invalid_scope"),
            (["client_id": "pushing"], "invalid_request"),
            (["client_id": "signing"], "invalid_request"),
        ] as [([String: String?], String)])
    func tellsTheClientWhatIsWrong(changes: [String: String?], error: String) async throws {
        let page = try await Browser(idp).authorize(changes)
        #expect(page.location?.hasPrefix("http://127.0.0.1/callback") == true)
        #expect(page.parameters["error"] == error)
        #expect(page.parameters["error_description"]?.isEmpty == false)
        #expect(page.parameters["state"] == "xyz")
        #expect(page.parameters["iss"] == ProviderUnderTest.issuer)
        #expect(page.parameters["code"] == nil)
    }

    /// RFC 6749 section 3.1: MUST NOT be included more than once.
    @Test(arguments: ["scope", "response_type", "code_challenge", "nonce", "state", "unknown", "response_mode"])
    func refusesARepeatedParameter(name: String) async throws {
        var query = AuthorizationQuery(["unknown": "1", "nonce": "n", "response_mode": "query"])
        query.add(name, "other")
        let page = try await Browser(idp).open(query.path)
        #expect(page.parameters["error"] == "invalid_request")
        // Which of two states the client means, nobody knows.
        #expect(page.parameters["state"] == (name == "state" ? nil : "xyz"))
    }

    @Test func refusesAStateThatNoAnswerCouldCarry() async throws {
        let page = try await Browser(idp).authorize(["state": String(repeating: "s", count: 4097)])
        #expect(page.parameters["error"] == "invalid_request")
        #expect(page.parameters["state"] == nil)
    }

    @Test func refusesARequestThatWouldFillTheMemory() async throws {
        let page = try await Browser(idp).authorize(["extra": String(repeating: "e", count: 16_300)])
        #expect(page.parameters["error"] == "invalid_request")
        #expect(try await Browser(idp).authorize(["extra": String(repeating: "e", count: 15_000)]).name == "/login")
    }

    /// RFC 9700 section 2.6: the authorization endpoint MUST NOT support CORS.
    @Test(arguments: ["/authorize", "/login", "/consent", "/select-account", "/continue"])
    func letsNoPageOfAnotherOriginRead(path: String) async throws {
        let open = try await ProviderUnderTest.signIn { $0.crossOrigin = .any }
        for (idp, origin) in [(idp, "http://localhost:3000"), (open, "https://app.example")] {
            for method in [HTTPRequest.Method.get, .options] {
                let answer = await idp.respond(method, path + "?client_id=web", [.origin: origin])
                #expect(answer.field("Access-Control-Allow-Origin") == nil)
                #expect(answer.field("Access-Control-Allow-Methods") == nil)
            }
            #expect(
                await idp.respond(.options, "/token", [.origin: origin]).field("Access-Control-Allow-Origin") != nil)
        }
    }

    /// OpenID Connect Core section 3.1.2.1: parameters that are not understood MUST be ignored.
    @Test func ignoresUnknownParameters() async throws {
        let page = try await Browser(idp).signIn(AuthorizationQuery(["extra": "foobar", "claims_locales": "se"]))
        #expect(page.parameters["code"] != nil)
    }

    @Test(arguments: [
        ("response_type=nonsense&response_mode=fragment", "#"), ("response_type=id_token+nonsense", "#"),
        ("response_type=nonsense", "?"), ("response_type=token", "#"),
        ("response_type=token&response_mode=query", "#"),
    ])
    func sendsAnErrorTheWayTheAnswerWouldHaveGone(query: String, mark: String) async throws {
        let redirect = "http%3A%2F%2F127.0.0.1%2Fcallback"
        let page = try await Browser(idp).open("/authorize?client_id=web&redirect_uri=\(redirect)&\(query)")
        #expect(page.location?.hasPrefix("http://127.0.0.1/callback\(mark)error=") == true)
    }

    @Test func sendsAnErrorByAFormToo() async throws {
        let page = try await Browser(idp).authorize(["response_mode": "form_post", "prompt": "none"])
        #expect(page.location == nil)
        #expect(page.form?.action == AuthorizationQuery.redirectURI)
        #expect(page.parameters["error"] == "login_required")
        #expect(page.parameters["iss"] == ProviderUnderTest.issuer)
    }

    /// RFC 9700 section 4.12: 303, so that nothing that was posted is posted again.
    @Test func redirectsWithoutRepeatingWhatWasPosted() async throws {
        let page = try await Browser(idp).signIn()
        #expect(page.status == 303)
        #expect(page.answer.field("Cache-Control") == "no-store")
        #expect(page.answer.field("Referrer-Policy") == "no-referrer")
    }

    @Test func takesPlainChallengesOnlyWhereTheyAreOn() async throws {
        let idp = try await ProviderUnderTest.signIn { $0.legacy = [.plainChallenge] }
        let query = AuthorizationQuery(["code_challenge": AuthorizationQuery.verifier, "code_challenge_method": nil])
        let code = try await idp.code(query)
        #expect(await idp.redeem(code).status == 200)
    }

    /// OpenID Connect Core section 3.1.2.1: `ui_locales` says what the user reads, also when nothing else is right.
    @Test(arguments: [
        ["client_id": "nobody"], ["client_id": ""], ["redirect_uri": "https://evil.example/"],
        ["client_id": "nobody", "ui_locales": "tlh ko en"],
    ])
    func saysWhatIsWrongInTheLanguageOfTheRequest(changes: [String: String]) async throws {
        let query = AuthorizationQuery(["ui_locales": "ko"].merging(changes) { $1 })
        let answer = await idp.get(query.path, [.acceptLanguage: "ja"])
        #expect(answer.status == 400)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("<html lang=\"ko\""))
        var without = query
        without["ui_locales"] = nil
        let other = await idp.get(without.path, [.acceptLanguage: "ja"])
        #expect(String(decoding: other.body, as: UTF8.self).contains("<html lang=\"ja\""))
    }
}
