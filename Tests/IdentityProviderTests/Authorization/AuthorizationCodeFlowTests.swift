import Crypto
import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct AuthorizationCodeFlowTests {
    let idp: ProviderUnderTest

    init() async throws { idp = try await .signIn() }

    @Test func givesTokensToAClientWhoseUserLogsIn() async throws {
        let browser = Browser(idp)
        let page = try await browser.authorize(["nonce": "n-1", "scope": "openid profile"])
        #expect(page.name == "/login")
        #expect(page.status == 200)
        let answer = try await browser.submit(page, ["username": "alice", "password": "alice"])
        #expect(answer.status == 303)
        #expect(answer.location?.hasPrefix("http://127.0.0.1/callback?code=") == true)
        #expect(answer.parameters["state"] == "xyz")
        // RFC 9207 section 2.
        #expect(answer.parameters["iss"] == ProviderUnderTest.issuer)

        let tokens = await idp.redeem(try #require(answer.parameters["code"]))
        #expect(tokens.status == 200)
        #expect(try tokens.text("token_type") == "Bearer")
        #expect(try tokens.text("scope") == "openid profile")
        #expect(tokens.json?["refresh_token"]?.string != nil)
        let access = try tokens.text("access_token")
        #expect(try await idp.verified(access).claims.subject == "alice")
        #expect(try await idp.isActive(access))
        try await check(try tokens.text("id_token"), for: access)
    }

    /// OpenID Connect Core sections 2 and 3.1.3.6.
    private func check(_ idToken: String, for access: String) async throws {
        let token = try await idp.verifiedIDToken(idToken)
        let claims = token.claims
        #expect(claims.subject == "alice")
        #expect(claims["nonce"]?.string == "n-1")
        #expect(claims["auth_time"]?.string == nil)
        #expect(claims["auth_time"] == 1_700_000_000)
        #expect(claims["amr"] == ["pwd"])
        #expect(claims["acr"] == "urn:pawl:acr:password")
        #expect(claims["given_name"]?.string == "Alice")
        #expect(claims["email"] == nil)
        let digest = HashFunction.sha256.digest(Array(access.utf8).span)
        #expect(claims["at_hash"]?.string == Base64URL.encode(Array(digest.prefix(16))))
        #expect(claims["c_hash"] == nil)
        let sid = try #require(claims["sid"]?.string)
        let login = try #require(try await idp.context.store.login(LoginID(sid)))
        #expect(login.clientIDs == ["web"])
    }

    @Test func refreshesWhatACodeGave() async throws {
        let tokens = await idp.redeem(try await idp.code())
        let refreshed = await idp.refresh(try tokens.text("refresh_token"))
        #expect(refreshed.status == 200)
        // OpenID Connect Core section 12.2: a nonce is not told again.
        let token = try await idp.verifiedIDToken(try refreshed.text("id_token"))
        #expect(token.claims["nonce"] == nil)
        #expect(token.claims["auth_time"] == 1_700_000_000)
    }

    /// RFC 6749 section 4.1.2: the state is required in the answer if it was in the request, and so nowhere else.
    @Test func tellsNoStateThatItWasNotTold() async throws {
        let answer = try await Browser(idp).signIn(AuthorizationQuery(["state": nil]))
        #expect(answer.parameters["code"] != nil)
        #expect(answer.parameters["state"] == nil)
    }

    @Test(arguments: ["a b+c%26&=#\u{301}ü", "{\"json\":\"<b>'\"}"])
    func givesBackTheStateByteByByte(state: String) async throws {
        let answer = try await Browser(idp).signIn(AuthorizationQuery(["state": state]))
        let given = try #require(answer.parameters["state"])
        #expect(given.utf8.elementsEqual(state.utf8))
    }

    @Test func isNoOpenIDRequestWithoutTheScope() async throws {
        let tokens = await idp.redeem(try await idp.code(AuthorizationQuery(["scope": "read"])))
        #expect(tokens.status == 200)
        #expect(tokens.json?["id_token"] == nil)
    }

    @Test func knowsWhoIsLoggedInAlready() async throws {
        let browser = Browser(idp)
        let first = try await browser.signIn()
        idp.clock.advance(by: .seconds(100))
        let second = try await browser.authorize(["client_id": "native"])
        #expect(second.location != nil)
        let code = try #require(second.parameters["code"])
        #expect(code != first.parameters["code"])
        let tokens = await idp.redeem(code, ["client_id": "native"])
        let token = try await idp.verifiedIDToken(try tokens.text("id_token"), for: "native")
        // When he proved himself, not when he came back.
        #expect(token.claims["auth_time"] == 1_700_000_000)
    }

    @Test func forgetsALoginWhoseTimeIsOver() async throws {
        let browser = Browser(idp)
        _ = try await browser.signIn()
        idp.clock.advance(by: .seconds(12 * 3600 - 1))
        #expect(try await browser.authorize().location != nil)
        idp.clock.advance(by: .seconds(1))
        #expect(try await browser.authorize().name == "/login")
    }

    @Test func keepsAnApplicationAliveWhenOnlyTheTimeOfTheLoginIsOver() async throws {
        let tokens = await idp.redeem(try await idp.code())
        idp.clock.advance(by: .seconds(13 * 3600))
        #expect(await idp.refresh(try tokens.text("refresh_token")).status == 200)
    }

    @Test(arguments: [("openid", false), ("openid offline_access", true)])
    func endsWithTheLoginUnlessAccessIsOffline(scope: String, survives: Bool) async throws {
        let tokens = await idp.redeem(try await idp.code(AuthorizationQuery(["scope": scope])))
        let access = try tokens.text("access_token")
        let sid = try #require(
            try await idp.verifiedIDToken(try tokens.text("id_token")).claims["sid"]?.string)
        let now = idp.clock.now()
        _ = try await idp.context.store.change(LoginID(sid)) { $0.ended = Family.Ending(.loggedOut, at: now) }
        #expect(try await idp.isActive(access) == survives)
        #expect(await idp.refresh(try tokens.text("refresh_token")).status == (survives ? 200 : 400))
    }

    @Test func forgetsALoginThatHasEnded() async throws {
        let browser = Browser(idp)
        let code = try #require(try await browser.signIn().parameters["code"])
        let login = try #require(try await idp.context.store.logins(where: { _ in true }, limit: 2).first)
        let now = idp.clock.now()
        _ = try await idp.context.store.change(login.id) { $0.ended = Family.Ending(.loggedOut, at: now) }
        #expect(try await browser.authorize().name == "/login")
        // Nor does a code survive that was given before.
        #expect(await idp.redeem(code).error == "invalid_grant")
    }

    /// OpenID Connect Core section 3.1.2.1: GET and POST MUST be supported.
    @Test func takesARequestThatAnotherSitePosts() async throws {
        let browser = Browser(idp)
        let page = try await browser.post("/authorize", AuthorizationQuery().pairs)
        #expect(page.name == "/login")
        let answer = try await browser.submit(page, ["username": "bob", "password": "bob"])
        let code = try #require(answer.parameters["code"])
        #expect(await idp.redeem(code).status == 200)
        // The cookies of the login do not come with a post of another site; the user is known all the same.
        let again = try await browser.post("/authorize", AuthorizationQuery().pairs)
        #expect(again.parameters["code"] != nil)
        #expect(browser.visited.last?.hasPrefix("/continue?interaction=") == true)
    }

    @Test func aPostIsAsSilentAsItIsAskedToBe() async throws {
        let browser = Browser(idp)
        let silent = AuthorizationQuery(["prompt": "none"]).pairs
        #expect(try await browser.post("/authorize", silent).parameters["error"] == "login_required")
        _ = try await browser.signIn()
        #expect(try await browser.post("/authorize", silent).parameters["code"] != nil)
        let wrong = AuthorizationQuery(["redirect_uri": "https://evil.example/"]).pairs
        #expect(try await browser.post("/authorize", wrong).status == 400)
    }

    @Test func refusesParametersInTheURLOfAPost() async throws {
        let page = try await Browser(idp).post(AuthorizationQuery().path, [])
        #expect(page.status == 400)
        #expect(page.location == nil)
    }

    /// OpenID Connect Core section 8.1.
    @Test func clientsOfDifferentSectorsCannotCompareNotes() async throws {
        let clients = try ["one", "two"].map { name in
            try Client.underTest(name, redirects: ["https://\(name).example/cb"]) { $0.subjectType = .pairwise }
        }
        let idp = try await ProviderUnderTest.signIn(clients)
        var subjects: Set<String> = ["alice"]
        for name in ["one", "two"] {
            let redirect = "https://\(name).example/cb"
            let query = AuthorizationQuery(["client_id": name, "redirect_uri": redirect])
            let tokens = await idp.redeem(
                try await idp.code(query), ["client_id": name, "redirect_uri": redirect])
            let token = try await idp.verifiedIDToken(try tokens.text("id_token"), for: name)
            subjects.insert(try #require(token.claims.subject))
            #expect(try await idp.verified(try tokens.text("access_token")).claims.subject == token.claims.subject)
        }
        #expect(subjects.count == 3)
    }
}
