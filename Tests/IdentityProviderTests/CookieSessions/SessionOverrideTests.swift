import HTTPMessages
import IdentityProvider
import JOSE
import Primitives
import Testing

/// Claims that a test has chosen for the next access token in a cookie, and members for the answer that comes with it.
@Suite struct SessionOverrideTests {
    private func choose(_ body: JSONObject, _ lab: SessionLab) async -> Answer {
        await ControlUnderTest(lab.idp).call("POST", "/next", .object(body))
    }

    private func claim(_ browser: SessionBrowser, _ client: String = "app") throws -> JSON? {
        let payload = try UnverifiedJWS(compact: try #require(browser.accessToken(of: client))).unverifiedPayload
        return try JSON(parsing: payload.span)["tested"]
    }

    @Test func changesWhatTheCookieHoldsAndNothingElse() async throws {
        let lab = try await SessionLab()
        let body: JSONObject = ["endpoint": "session", "access_token_claims": ["tested": 1], "members": ["extra": 2]]
        #expect(await choose(body, lab).status == 201)
        let browser = lab.browser()
        let answer = await browser.signIn("app")
        #expect(try claim(browser) == 1 && answer.json?["extra"] == 2 && answer.json?["tested"] == nil)
        #expect(
            await choose(["endpoint": "/session/refresh", "access_token_claims": ["tested": 3]], lab).status == 201)
        #expect(await browser.refresh().status == 200)
        #expect(try claim(browser) == 3)
        #expect(
            await choose(["endpoint": "/session/fork", "access_token_claims": ["tested": 4]], lab).status == 201)
        #expect(await browser.fork("view").status == 200)
        #expect(try claim(browser, "view") == 4 && claim(browser) == 3)
        // Each was for one answer.
        #expect(await browser.refresh(["client_id": "app"]).status == 200)
        #expect(try claim(browser) == nil)
    }

    /// None of them gives an ID token, and these give no token at all.
    @Test(
        arguments: [
            ("/session", "id_token_claims", "ID tokens: /token, /authorize"),
            ("/session/resource", "access_token_claims", "access tokens: /token, /authorize, /session"),
            ("userinfo", "access_token_claims", "access tokens: /token"),
        ])
    func refusesClaimsWhereThereIsNoToken(endpoint: String, member: String, why: String) async throws {
        let answer = try await choose(["endpoint": .string(endpoint), member: ["tested": 1]], SessionLab())
        #expect(answer.status == 400 && answer.errorDescription.contains(why), "\(answer.errorDescription)")
        #expect(answer.json?["path"]?.string == member)
    }
}
