import Crypto
import HTTPMessages
import OAuth
import Primitives
import SessionClient
import Testing

@Suite struct CodeLoginTests {
    private let server = ScriptedServer()
    private let parameters = AuthorizationParameters(scope: try! Scope(parsing: "openid read"))

    private func start(
        _ change: (inout ServerDescription) -> Void = { _ in }, asking parameters: AuthorizationParameters? = nil,
        returningTo redirectURI: RedirectURI = LoginFixtures.loopback, proofs: DPoPProver? = nil
    ) throws -> CodeLogin {
        let tokens = LoginFixtures.tokens(server, server: LoginFixtures.server(change), proofs: proofs)
        return try CodeLogin.start(
            for: tokens, returningTo: redirectURI, asking: parameters ?? self.parameters, random: SystemRandom())
    }

    private func query(_ login: CodeLogin) throws -> FormParameters {
        try AuthorizationURL(login.url).query
    }

    private func answer(to login: CodeLogin, _ rest: String = "&code=code-1") throws -> String {
        "http://127.0.0.1:4711/callback?state=\(try #require(query(login)["state"]))\(rest)"
    }

    private func enqueueTokens(for login: CodeLogin) throws {
        let nonce = try #require(query(login)["nonce"])
        let idToken = LoginFixtures.idToken { $0["nonce"] = .string(nonce) }
        server.enqueue(
            .json(#"{"access_token":"access-1","token_type":"Bearer","refresh_token":"r","id_token":"\#(idToken)"}"#))
    }

    private func error(_ login: CodeLogin, _ callback: String) async -> LoginError? {
        do throws(LoginError) {
            _ = try await login.finish(callback: callback)
            return nil
        } catch { return error }
    }

    // The request

    @Test func asksAsTheStandardsHaveIt() throws {
        var parameters = parameters
        parameters.prompt = [.login, .consent]
        parameters.loginHint = "alice@example.org"
        parameters.maxAge = MaxAge(seconds: 60)
        parameters.languages = ["de", "en"]
        parameters.resources = ["https://a.example", "https://b.example"]
        parameters.others = [("acr_values", "urn:x y")]
        let login = try start(
            { $0.authorizationEndpoint = try! ServerEndpoint("https://id.example/a?t=1") }, asking: parameters)
        #expect(login.url.hasPrefix("https://id.example/a?t=1&response_type=code&"))
        let query = try query(login)
        #expect(query["client_id"] == "native-app" && query["redirect_uri"] == "http://127.0.0.1:4711/callback")
        #expect(query["scope"] == "openid read" && query["prompt"] == "login consent" && query["max_age"] == "60")
        #expect(query["login_hint"] == "alice@example.org" && query["ui_locales"] == "de en")
        #expect(query[values: "resource"] == ["https://a.example", "https://b.example"])
        #expect(query["acr_values"] == "urn:x y")
        #expect(query["code_challenge_method"] == "S256" && query["code_verifier"] == nil)
        #expect(query.firstRepeatedName(except: ["resource"]) == nil)
        #expect(!login.url.contains("+"))
    }

    @Test func makesEveryLoginAnew() throws {
        let queries = try (0..<50).map { _ in try query(start()) }
        for name in ["state", "nonce", "code_challenge"] {
            #expect(Set(queries.map { $0[name] }).count == 50)
            #expect(queries.allSatisfy { ($0[name]?.utf8.count ?? 0) >= 27 })
        }
    }

    @Test func sendsANonceOnlyWhereThereWillBeAnIDToken() throws {
        let login = try start(asking: AuthorizationParameters(scope: try Scope(parsing: "read")))
        #expect(try query(login)["nonce"] == nil)
    }

    @Test func bindsTheCodeToTheKey() throws {
        let prover = try LoginFixtures.prover()
        #expect(try query(start(proofs: prover))["dpop_jkt"] == prover.key.thumbprint)
        #expect(try query(start())["dpop_jkt"] == nil)
    }

    @Test func asksNoServerThatCannotKeepTheVerifier() throws {
        #expect(throws: LoginError.self) { _ = try start { $0.codeChallengeMethods = ["plain"] } }
        #expect(throws: LoginError.self) { _ = try start { $0.codeChallengeMethods = [] } }
        #expect(throws: LoginError.self) { _ = try start { $0.authorizationEndpoint = nil } }
        _ = try start { $0.codeChallengeMethods = nil }
    }

    @Test(arguments: ["state", "redirect_uri", "code_challenge", "nonce", "dpop_jkt", "request", ""])
    func letsNobodySayTwiceWhatItSays(_ name: String) throws {
        var parameters = parameters
        parameters.others = [("fine", "1"), (name, "x")]
        #expect(throws: LoginError.self) { _ = try start(asking: parameters) }
    }

    @Test func sendsNoCodeThroughTheClear() throws {
        let inTheClear = try RedirectURI("http://app.example/callback")
        #expect(throws: LoginError.self) { _ = try start(returningTo: inTheClear) }
    }

    // The answer

    @Test func getsTheTokens() async throws {
        let login = try start()
        try enqueueTokens(for: login)
        let completed = try await login.finish(callback: try answer(to: login))
        #expect(LoginFixtures.text(of: completed.grant.accessToken) == "access-1")
        #expect(completed.identity?.subject == "alice")
        #expect(completed.proofKey == nil)
        #expect(try completed.requestedScope == Scope(parsing: "openid read"))
        let form = server.requests[0].form
        #expect(form["code"] == "code-1" && form["redirect_uri"] == "http://127.0.0.1:4711/callback")
        // RFC 7636 section 4.6: the challenge was made of the verifier that comes now.
        let verifier = try #require(form["code_verifier"])
        let challenge = Base64URL.encode(HashFunction.sha256.digest(Array(verifier.utf8).span))
        #expect(try query(login)["code_challenge"] == challenge)
        #expect(!login.url.contains(verifier))
    }

    @Test func handsOverTheKey() async throws {
        let prover = try LoginFixtures.prover()
        let login = try start(proofs: prover)
        try enqueueTokens(for: login)
        #expect(try await login.finish(callback: try answer(to: login)).proofKey == prover.key)
    }

    @Test(arguments: ["#", "#_=_", "&session_state=x", "&iss=https%3A%2F%2Fid.example", "&scope=openid"])
    func takesWhatServersAddToIt(_ addition: String) async throws {
        let login = try start()
        try enqueueTokens(for: login)
        _ = try await login.finish(callback: try answer(to: login, "&code=code-1" + addition))
        #expect(server.requests.count == 1)
    }

    @Test func takesTheAnswerOfAServerThatNamesItself() async throws {
        let login = try start { $0.namesIssuerInResponses = true }
        try enqueueTokens(for: login)
        _ = try await login.finish(callback: try answer(to: login, "&code=code-1&iss=https://id.example"))
    }

    static let foreign: [(String, LoginError.ForeignAnswer)] = [
        // Other addresses
        ("http://127.0.0.1:4712/callback?state=STATE&code=code-1", .otherAddress),
        ("https://127.0.0.1:4711/callback?state=STATE&code=code-1", .otherAddress),
        ("http://127.0.0.1:4711/callback/x?state=STATE&code=code-1", .otherAddress),
        ("http://localhost:4711/callback?state=STATE&code=code-1", .otherAddress),
        ("http://127.0.0.1:4711@evil.example/callback?state=STATE&code=code-1", .otherAddress),
        ("?state=STATE&code=code-1", .otherAddress),
        ("", .otherAddress),
        // Said twice
        ("http://127.0.0.1:4711/callback?state=STATE&code=code-1&code=code-2", .otherAddress),
        ("http://127.0.0.1:4711/callback?state=STATE&code=code-1&state=STATE", .otherAddress),
        ("http://127.0.0.1:4711/callback?state=STATE&code=code-1&iss=https://id.example&iss=x", .otherAddress),
        ("http://127.0.0.1:4711/callback?state=STATE&code=%zz", .otherAddress),
        // State
        ("http://127.0.0.1:4711/callback?code=code-1", .otherState),
        ("http://127.0.0.1:4711/callback?state=&code=code-1", .otherState),
        ("http://127.0.0.1:4711/callback?state=STATEx&code=code-1", .otherState),
        ("http://127.0.0.1:4711/callback?state=xSTATE&code=code-1", .otherState),
        ("http://127.0.0.1:4711/callback?code=code-1#state=STATE", .otherState),
        ("http://127.0.0.1:4711/callback?error=access_denied", .otherState),
        // Mix-up
        ("http://127.0.0.1:4711/callback?state=STATE&code=code-1&iss=https://evil.example", .otherIssuer),
        ("http://127.0.0.1:4711/callback?state=STATE&code=code-1&iss=https://id.example/", .otherIssuer),
        ("http://127.0.0.1:4711/callback?state=STATE&error=access_denied&iss=https://evil.example", .otherIssuer),
        // No code
        ("http://127.0.0.1:4711/callback?state=STATE", .missingCode),
        ("http://127.0.0.1:4711/callback?state=STATE&code=", .missingCode),
        ("http://127.0.0.1:4711/callback?state=STATE&code=a%0Ab", .missingCode),
        ("http://127.0.0.1:4711/callback?state=STATE&access_token=x", .missingCode),
        ("http://127.0.0.1:4711/callback?state=STATE#code=code-1", .missingCode),
    ]

    @Test(arguments: foreign)
    func refusesWhatIsNoAnswerToThisLogin(_ callback: String, _ expected: LoginError.ForeignAnswer) async throws {
        let login = try start()
        let state = try #require(query(login)["state"])
        let found = await error(login, callback.replacing("STATE", with: state))
        #expect(found == .foreignAnswer(expected))
        #expect(!"\(found!)".contains(state) && !"\(found!)".contains("code-1"))
        #expect(server.requests.isEmpty)
    }

    @Test func refusesAnAnswerWithoutTheIssuerThatItAlwaysHas() async throws {
        let login = try start { $0.namesIssuerInResponses = true }
        #expect(await error(login, try answer(to: login)) == .foreignAnswer(.missingIssuer))
        #expect(await error(login, try answer(to: login, "&error=access_denied")) == .foreignAnswer(.missingIssuer))
    }

    @Test func takesNoPartOfTheState() async throws {
        let login = try start()
        let state = try #require(query(login)["state"])
        for part in [state.dropLast(), state.prefix(1), state.dropFirst()] {
            #expect(
                await error(login, "http://127.0.0.1:4711/callback?code=code-1&state=\(part)")
                    == .foreignAnswer(.otherState))
        }
    }

    @Test func doesNotTakeTheAnswerToAnotherLogin() async throws {
        let (mine, other) = (try start(), try start())
        #expect(await error(mine, try answer(to: other)) == .foreignAnswer(.otherState))
        #expect(mine.isAnswered(by: try answer(to: mine)))
        #expect(mine.isAnswered(by: try answer(to: mine, "&error=access_denied")))
        #expect(!mine.isAnswered(by: try answer(to: other)))
        #expect(!mine.isAnswered(by: "http://127.0.0.1:4711/callback?code=code-1"))
    }

    @Test func tellsTheUsersNoFromThatOfTheServer() async throws {
        let login = try start()
        #expect(await error(login, try answer(to: login, "&error=access_denied&code=code-1")) == .denied)
        #expect(
            await error(login, try answer(to: login, "&error=login_required&error_description=a%22b%0A"))
                == .refused(TokenRefusal(code: "login_required", description: "a'b'")))
        #expect(
            await error(login, try answer(to: login, "&error=a%0Ab"))
                == .refused(TokenRefusal(code: "server_error")))
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: [
        (
            ScriptedReply.json(#"{"error":"invalid_grant"}"#, status: 400),
            LoginError.refused(TokenRefusal(code: "invalid_grant"))
        ),
        (.status(503), .unavailable(Unavailability(.server(status: 503)))), (.failure(.cancelled), .cancelled),
        (.failure(.timedOut), .unavailable(Unavailability(.offline))),
        (.text("<p>"), .unavailable(Unavailability(.unreadable))),
        (.json(#"{"access_token":"a","token_type":"Bearer"}"#), .badIDToken(.missing)),
    ])
    func saysWhyThereAreNoTokens(_ reply: ScriptedReply, _ expected: LoginError) async throws {
        let login = try start()
        server.enqueue(reply)
        #expect(await error(login, try answer(to: login)) == expected)
    }

    @Test func takesTheSpellingsOfBrowsers() async throws {
        let app = try RedirectURI("https://App.example")
        let login = try start(returningTo: app)
        let state = try #require(query(login)["state"])
        #expect(login.isAnswered(by: "https://app.example/?state=\(state)&code=c"))
        let scheme = try start(returningTo: RedirectURI("com.example.app:/callback?x=1"))
        let other = try #require(query(scheme)["state"])
        #expect(scheme.isAnswered(by: "com.example.app:/callback?x=1&state=\(other)&code=c"))
        #expect(!scheme.isAnswered(by: "com.example.app://callback?x=1&state=\(other)&code=c"))
    }

    @Test func printsNothingThatIsSecret() async throws {
        let login = try start()
        try enqueueTokens(for: login)
        var dumped = "\(login)\(String(reflecting: login))"
        dump(login, to: &dumped)
        let completed = try await login.finish(callback: try answer(to: login))
        dump(completed, to: &dumped)
        let form = server.requests[0].form
        for secret in [
            try query(login)["state"], try query(login)["nonce"], form["code_verifier"], "access-1", "alice",
        ] {
            #expect(!dumped.contains(try #require(secret)))
        }
    }
}
