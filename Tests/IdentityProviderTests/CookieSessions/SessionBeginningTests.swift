import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import TestSupport
import Testing

@Suite("Sessions in cookies: beginning")
struct SessionBeginningTests {
    @Test func beginsWithAPasswordAndTellsWhoAndUntilWhen() async throws {
        let lab = try await SessionLab()
        let browser = lab.browser()
        let begun = await browser.signIn()
        #expect(begun.status == 200)
        #expect(begun.setCookies.count == 2)
        let now = lab.idp.clock.now().secondsSinceEpoch
        for answer in [begun, await browser.tell()] {
            #expect(answer.status == 200)
            #expect(try answer.text("sub") == "alice")
            #expect(try answer.text("username") == "alice")
            #expect(try answer.text("client_id") == "app")
            #expect(try answer.text("scope") == "openid email")
            #expect(answer.json?["expires_at"]?.int64 == now + 300)
            #expect(answer.json?["expires_in"]?.int64 == 300)
            #expect(answer.json?["auth_time"]?.int64 == now)
            #expect(answer.json?["session_expires_at"]?.int64 == now + 30 * 86_400)
            #expect(try await lab.context.store.login(LoginID(answer.text("sid")))?.userID == "alice")
        }
    }

    /// HttpOnly is worth nothing where the body has the tokens too.
    @Test func tellsNoToken() async throws {
        let lab = try await SessionLab()
        let browser = lab.browser()
        var answers = [await browser.signIn(), await browser.tell(), await browser.refresh()]
        answers += [await browser.fork("view"), await browser.send(.get, "/session/resource?client_id=app")]
        for answer in answers {
            #expect(answer.status == 200)
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(!text.contains("rt1.") && !text.contains("eyJ"))
        }
    }

    @Test func takesJSON() async throws {
        let lab = try await SessionLab()
        let answer = await lab.browser().send(
            .post, json: ["client_id": "app", "username": "alice", "password": "alice", "scope": nil])
        #expect(answer.status == 200)
    }

    @Test func beginsWithACode() async throws {
        let lab = try await SessionLab()
        let browser = lab.browser()
        let code = try await lab.code()
        let answer = await browser.send(.post, "/session", Self.redemption(code))
        #expect(answer.status == 200)
        #expect(try await browser.tell().text("scope") == "openid")
        #expect(await browser.refresh().status == 200)
    }

    private static func redemption(_ code: String, _ changes: [String: String?] = [:]) -> [String: String] {
        var form = [
            "client_id": "app", "code": code, "code_verifier": AuthorizationQuery.verifier,
            "redirect_uri": AuthorizationQuery.redirectURI,
        ]
        for (name, value) in changes { form[name] = value }
        return form
    }

    /// RFC 7636 section 4.6, RFC 6749 section 4.1.3. What is refused leaves the code as it was.
    @Test(
        arguments: [
            ["code_verifier": nil], ["code_verifier": String(repeating: "x", count: 43)], ["redirect_uri": nil],
            ["redirect_uri": "http://127.0.0.1/"], ["client_id": "view"],
        ] as [[String: String?]])
    func refusesACodeThatIsPresentedWrongly(changes: [String: String?]) async throws {
        let lab = try await SessionLab()
        let code = try await lab.code()
        let refused = await lab.browser().send(.post, "/session", Self.redemption(code, changes))
        #expect(refused.outcome == "400 invalid_grant")
        #expect(refused.setCookies == [])
        #expect(await lab.browser().send(.post, "/session", Self.redemption(code)).status == 200)
    }

    /// RFC 6749 section 4.1.2.
    @Test func aCodeThatIsReplayedEndsTheSession() async throws {
        let lab = try await SessionLab()
        let code = try await lab.code()
        let browser = lab.browser()
        #expect(await browser.send(.post, "/session", Self.redemption(code)).status == 200)
        #expect(await lab.browser().send(.post, "/session", Self.redemption(code)).outcome == "400 invalid_grant")
        #expect(await browser.tell().outcome == "401 invalid_token")
    }

    /// RFC 6749 section 4.3.2: the same words whoever is meant.
    @Test(arguments: [("alice", "wrong"), ("nobody", "nobody"), ("alice", "Alice"), ("alice ", "alice")])
    func refusesAWrongPassword(username: String, password: String) async throws {
        let answer = await (try await SessionLab()).browser().signIn(
            also: ["username": username, "password": password])
        #expect(answer.outcome == "400 invalid_grant")
        #expect(answer.errorDescription == "unknown user, or wrong password")
        #expect(answer.setCookies == [])
    }

    @Test func refusesPasswordsAfterTooManyWrongOnes() async throws {
        let lab = try await SessionLab { $0.signIn.failuresAllowed = 3 }
        let browser = lab.browser()
        for _ in 0..<3 { #expect(await browser.signIn(also: ["password": "x"]).outcome == "400 invalid_grant") }
        let refused = await browser.signIn()
        #expect(refused.outcome == "429 invalid_grant")
        #expect(refused.field("Retry-After") == "60")
        lab.idp.clock.advance(by: .seconds(60))
        #expect(await browser.signIn().status == 200)
    }

    /// Many names from one address are one who tries them.
    @Test func refusesAnAddressThatTriesManyNames() async throws {
        let lab = try await SessionLab { $0.signIn.failuresAllowed = 1 }
        for number in 0..<10 { _ = await lab.browser().signIn(also: ["username": "u\(number)"]) }
        #expect(await lab.browser().signIn().outcome == "429 invalid_grant")
    }

    /// The login page counts with it.
    @Test func sharesItsThrottleWithTheLoginPage() async throws {
        let lab = try await SessionLab { $0.signIn.failuresAllowed = 1 }
        #expect(await lab.browser().signIn(also: ["password": "x"]).outcome == "400 invalid_grant")
        let browser = Browser(lab.idp)
        let page = try await browser.open(AuthorizationQuery(["client_id": "app"]).path)
        #expect(try await browser.submit(page, ["username": "alice", "password": "alice"]).status == 429)
    }

    @Test(arguments: [
        ["client_id": "body"], ["client_id": "nobody"], ["client_id": "back"], ["client_id": ""],
        ["client_id": "App"],
    ])
    func refusesAClientWithoutSessionsInCookies(form: [String: String]) async throws {
        let answer = await (try await SessionLab()).browser().signIn(also: form)
        #expect(answer.outcome == "400 unauthorized_client")
        #expect(answer.setCookies == [])
    }

    /// A client that somebody made without the checks of a configuration.
    @Test func refusesAClientWhoseTokensAreBoundToAKey() async throws {
        let bound = try Client.underTest("bound") {
            $0.authenticationMethod = "none"
            $0.cookieSession = CookieSessionSettings()
            $0.requiresDPoP = true
        }
        let lab = try await SessionLab()
        try lab.context.clients.put(bound)
        #expect(await lab.browser().signIn("bound").outcome == "400 unauthorized_client")
    }

    @Test func needsNoNameOfTheOnlyClient() async throws {
        let idp = try await ProviderUnderTest(clients: StandardClients.all(), users: StandardUsers.all())
        let browser = SessionBrowser(idp, host: ProviderUnderTest.host, isEncrypted: false)
        #expect(await browser.send(.post, "/session", ["username": "alice", "password": "alice"]).status == 200)
        #expect(try await browser.tell().text("client_id") == "web")
    }

    @Test(arguments: [
        [:], ["username": "alice"], ["password": "alice"], ["username": "alice", "password": ""],
        ["code": "c", "username": "alice", "password": "alice"], ["code": "c", "password": "alice"],
    ])
    func refusesAnythingButOneWay(form: [String: String]) async throws {
        let answer = await (try await SessionLab()).browser().send(
            .post, "/session", form.merging(["client_id": "app"]) { $1 })
        #expect(answer.outcome == "400 invalid_request")
    }

    @Test func refusesAWayThatTheClientDoesNotHave() async throws {
        let lab = try await SessionLab([
            SessionLab.client("coded", ["sign_in": ["code"]]), SessionLab.client("typed", ["sign_in": ["password"]]),
        ])
        #expect(await lab.browser().signIn("coded").outcome == "400 unauthorized_client")
        let code = try await lab.code(for: "typed")
        let form = Self.redemption(code, ["client_id": "typed"])
        #expect(await lab.browser().send(.post, "/session", form).outcome == "400 unauthorized_client")
        #expect(await lab.idp.redeem(code, ["client_id": "typed"]).status == 200)
    }

    @Test(arguments: [
        ("[]", "application/json"), ("{", "application/json"), (#"{"client_id":1}"#, "application/json"),
        (#"{"client_id":["app"]}"#, "application/json"), (#"{"a":{"b":1}}"#, "application/json"),
        (#"{"client_id":"app","client_id":"view"}"#, "application/json"), ("client_id=app", "text/plain"),
        ("client_id=app", "multipart/form-data"), ("username=a&username=b", "application/x-www-form-urlencoded"),
    ])
    func refusesABodyThatIsNone(body: String, type: String) async throws {
        let answer = await (try await SessionLab()).idp.respond(
            .post, "/session", [.contentType: type], body: Array(body.utf8))
        #expect(answer.outcome == "400 invalid_request")
    }

    /// RFC 6749 section 2.3.1: what stands in the URL ends in logs.
    @Test func refusesParametersInTheURL() async throws {
        let lab = try await SessionLab()
        for json: JSON? in [nil, [:]] {
            let answer = await lab.browser().send(
                .post, "/session?client_id=app&username=alice&password=alice", json: json)
            #expect(answer.outcome == "400 invalid_request")
        }
    }

    /// What wants more than a cookie gives is told so, and not given less in silence.
    @Test func refusesWhoeverAuthenticatesOrProvesAKey() async throws {
        let lab = try await SessionLab()
        let credentials: [[String: String]] = [
            ["Authorization": "Basic YXBwOng="], ["Authorization": "Bearer x"], ["DPoP": "e30.e30.x"],
        ]
        for fields in credentials.map(HTTPFields.init(named:)) {
            for path in ["/session", "/session/refresh", "/session/fork"] {
                let answer = await lab.browser().send(
                    .post, path, ["client_id": "app", "username": "alice", "password": "alice"], fields)
                #expect(answer.outcome == "400 invalid_request", "\(path)")
            }
        }
        #expect(await lab.browser().signIn(also: ["client_secret": "x"]).outcome == "400 invalid_request")
    }

    @Test func refusesAScopeThatTheClientMayNotHave() async throws {
        #expect(await (try await SessionLab()).browser().signIn("view").outcome == "400 invalid_scope")
    }

    @Test func nothingIsStored() async throws {
        let lab = try await SessionLab()
        let browser = lab.browser()
        let answers = [
            await browser.signIn(also: ["password": "x"]), await browser.tell(), await browser.refresh(),
            await browser.signIn(), await browser.tell(), await browser.refresh(), await browser.fork("view"),
            await browser.fork("nobody"), await browser.send(.get, "/session/resource"),
            await browser.send(.get, "/session/resource?client_id=app"), await browser.end(),
        ]
        for answer in answers { #expect(answer.field("Cache-Control") == "no-store") }
        #expect(Set(answers.map(\.status)) == [200, 400, 401])
    }

    /// A token that no browser keeps is no session.
    @Test func refusesATokenThatDoesNotFitIntoACookie() async throws {
        let long = String(repeating: "x", count: 4000)
        let lab = try await SessionLab([
            SessionLab.client("long", [:], ["claims": ["long": .string(long)]]),
            SessionLab.client("short", [:], ["claims": ["long": .string(long)], "access_token_format": "opaque"]),
        ])
        let refused = await lab.browser().signIn("long")
        #expect(refused.outcome == "500 server_error")
        #expect(refused.errorDescription.contains("opaque"))
        #expect(refused.setCookies == [])
        let families = try await lab.context.store.families(where: { $0.terms.clientID == "long" }, limit: 10)
        #expect(families.map { $0.ended?.reason } == [.ended])
        let browser = lab.browser()
        #expect(await browser.signIn("short").status == 200)
        #expect(await browser.tell().status == 200)
    }

    @Test func noSecretIsLogged() async throws {
        let lab = try await SessionLab()
        let browser = lab.browser()
        _ = await browser.signIn(also: ["password": "hunter2hunter2"])
        _ = await browser.signIn()
        let token = try #require(browser.refreshToken())
        let access = try #require(browser.accessToken())
        _ = await browser.refresh()
        _ = await browser.end()
        let text = lab.idp.log.lines.joined(separator: "\n")
        for event in ["session.begun", "session.refreshed", "session.ended"] {
            let line = try #require(lab.idp.log.lines.first { $0.contains(event) })
            #expect(line.contains("family"))
        }
        for secret in [token, access, "hunter2hunter2"] { #expect(!text.contains(secret)) }
    }
}

extension HTTPFields {
    fileprivate init(named fields: [String: String]) {
        self.init(fields.compactMap { name, value in HTTPField.Name(name).map { HTTPField(name: $0, value: value) } })
    }
}
