import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite("Sessions in cookies: what they protect")
struct SessionResourceTests {
    private static let path = "/session/resource"

    @Test func takesTheCookie() async throws {
        let browser = try await (try await SessionLab()).signedIn()
        let answer = await browser.send(.get, Self.path)
        #expect(answer.status == 200)
        #expect(try answer.text("sub") == "alice")
        #expect(try answer.text("presented_as") == "cookie")
    }

    @Test func takesTheTokenItself() async throws {
        let lab = try await SessionLab()
        let access = try #require(try await lab.signedIn().accessToken())
        let answer = await lab.idp.get(Self.path, [.authorization: "Bearer \(access)"])
        #expect(try answer.text("presented_as") == "bearer")
    }

    /// The session tells of itself by its cookie alone.
    @Test func refusesATokenInTheHeaderWhereTheCookieBelongs() async throws {
        let lab = try await SessionLab()
        let access = try #require(try await lab.signedIn().accessToken())
        #expect(await lab.idp.get("/session", [.authorization: "Bearer \(access)"]).outcome == "401 no_session")
    }

    @Test func refusesBothAtOnce() async throws {
        let browser = try await (try await SessionLab()).signedIn()
        let access = try #require(browser.accessToken())
        for token in [access, "x"] {
            let answer = await browser.send(.get, Self.path, [:], [.authorization: "Bearer \(token)"])
            #expect(answer.outcome == "400 ambiguous_session")
        }
    }

    @Test(arguments: ["/session", "/session/resource"])
    func refusesARequestWithoutASession(path: String) async throws {
        let refused = await (try await SessionLab()).browser().send(.get, path)
        #expect(refused.outcome == "401 no_session")
        #expect(refused.fields[values: .wwwAuthenticate].count == 1)
        #expect(refused.field("WWW-Authenticate") == "Bearer realm=\"pawl\"")
    }

    @Test(arguments: ["/session", "/session/resource"])
    func refusesAnAccessTokenAtTheMomentItExpires(path: String) async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        lab.idp.clock.advance(by: .seconds(299))
        #expect(await browser.send(.get, path).status == 200)
        lab.idp.clock.advance(by: .seconds(1))
        #expect(await browser.send(.get, path).outcome == "401 invalid_token")
    }

    /// M2: the access token alone is revoked, and the session lasts.
    @Test(arguments: ["/session", "/session/resource"])
    func refusesAnAccessTokenThatWasRevoked(path: String) async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let access = try #require(browser.accessToken())
        #expect(await lab.idp.token("client_id=app&token=\(access)", path: "/revoke").status == 200)
        #expect(await browser.send(.get, path).outcome == "401 invalid_token")
        #expect(await browser.refresh().status == 200)
        #expect(await browser.send(.get, path).status == 200)
    }

    @Test(arguments: ["x", "a.b", "a.b.c.d", "rt1.x"])
    func refusesAMalformedCookie(value: String) async throws {
        let browser = (try await SessionLab()).browser()
        browser.put("pawl_access_app_8080", value)
        for path in ["/session", "/session/resource"] {
            #expect(await browser.send(.get, path).outcome == "400 malformed_cookie")
        }
    }

    @Test(arguments: ["a.b.c", "at1.x"]) func refusesACookieThatIsNotOurs(value: String) async throws {
        let browser = (try await SessionLab()).browser()
        browser.put("pawl_access_app_8080", value)
        #expect(await browser.tell().outcome == "401 invalid_token")
    }

    @Test func refusesTwoCookiesOfOneName() async throws {
        let browser = try await (try await SessionLab()).signedIn()
        browser.extraCookies = ["pawl_access_app_8080=a.b.c"]
        for path in ["/session", "/session/resource"] {
            #expect(await browser.send(.get, path).outcome == "400 ambiguous_session")
        }
        browser.extraCookies = ["pawl_access_app_8080=\(try #require(browser.accessToken()))"]
        #expect(await browser.tell().status == 200)
    }

    /// Whoever may read the one's session may not read the other's.
    @Test func refusesTheTokenOfAnotherClient() async throws {
        let lab = try await SessionLab()
        let browser = lab.browser()
        browser.put("pawl_access_shop_8080", try #require(try await lab.signedIn().accessToken()))
        #expect(await browser.tell([.origin: SessionLab.shopOrigin]).outcome == "401 invalid_token")
    }

    /// A client's own token is nobody's session.
    @Test func refusesATokenWithoutAUser() async throws {
        let lab = try await SessionLab([
            ["client_id": "service", "client_secret": "secret", "grant_types": ["client_credentials"]]
        ])
        let token = try await lab.idp.accessToken()
        let browser = lab.browser()
        browser.put("pawl_access_app_8080", token)
        #expect(await browser.tell().outcome == "401 invalid_token")
    }

    /// RFC 9449 section 7.2: a bound token that comes without its proof is refused, in a cookie too.
    @Test func refusesABoundTokenWithoutItsProof() async throws {
        let lab = try await SessionLab()
        let proof = try ProofClient(at: lab.idp.clock.now()).proof()
        let field = try #require(HTTPField.Name("DPoP"))
        let form =
            "grant_type=authorization_code&client_id=app&code=\(try await lab.code())"
            + "&code_verifier=\(AuthorizationQuery.verifier)&redirect_uri=http%3A%2F%2F127.0.0.1%2Fcallback"
        let tokens = await lab.idp.token(form, also: [field: proof])
        #expect(try tokens.text("token_type") == "DPoP")
        let access = try tokens.text("access_token")
        let refused = await lab.idp.get(Self.path, [.authorization: "Bearer \(access)"])
        #expect(refused.outcome == "401 invalid_token")
        let browser = lab.browser()
        browser.put("pawl_access_app_8080", access)
        for path in ["/session", "/session/resource"] {
            #expect(await browser.send(.get, path).outcome == "401 invalid_token")
        }
    }
}
