import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite("Sessions in cookies: forks")
struct SessionForkTests {
    /// S18: a session of its own under the same login.
    @Test func hasTokensOfItsOwnUnderTheSameLogin() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let answer = await browser.fork("view")
        #expect(answer.status == 200)
        #expect(try answer.text("client_id") == "view")
        let (own, fork) = (try await lab.family(browser), try await lab.family(browser, "view"))
        #expect(own.id != fork.id)
        #expect(own.terms.loginID == fork.terms.loginID)
        #expect(fork.terms.expires == own.terms.expires)
        // The session was shown, and not spent.
        #expect(own.rotation.current == 1)
        // Rotating the one does nothing to the other.
        for client in ["app", "view", "app", "view"] {
            #expect(await browser.refresh(["client_id": client]).status == 200)
        }
    }

    @Test func hasNoMoreThanBothMayHave() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        #expect(try await browser.fork("view").text("scope") == "openid")
        let more = await browser.fork("view", also: ["client_id": "app", "scope": "openid email"])
        #expect(more.outcome == "400 invalid_scope")
        let narrow = try await lab.signedIn(also: ["scope": "openid"])
        #expect(await narrow.fork("shop", also: ["scope": "openid email"]).outcome == "400 invalid_scope")
        #expect(try await narrow.fork("shop").text("scope") == "openid")
    }

    @Test func endsWithTheLogin() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn(also: ["scope": "openid offline_access"])
        #expect(await browser.fork("view").status == 200)
        let login = try #require(try await lab.family(browser).terms.loginID)
        try await LoginEnding(context: lab.context).end([login], .loggedOut, as: nil, at: lab.idp.clock.now())
        #expect(await browser.send(.get, "/session?client_id=view").outcome == "401 invalid_token")
        #expect(await browser.refresh(["client_id": "view"]).outcome == "400 invalid_grant")
    }

    @Test func outlivesNothingThatTheUserAuthorised() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        lab.idp.clock.advance(by: .seconds(29 * 86_400))
        #expect(await browser.fork("view").status == 200)
        lab.idp.clock.advance(by: .seconds(86_400))
        #expect(await browser.refresh(["client_id": "view"]).outcome == "400 invalid_grant")
    }

    /// A token that an app has in its body is forked into the cookies of its web view.
    @Test func forksASessionOfTheBody() async throws {
        let lab = try await SessionLab()
        let tokens = await lab.idp.redeem(try await lab.code(), ["client_id": "app"])
        let browser = lab.browser()
        let form = ["client_id": "app", "refresh_token": try tokens.text("refresh_token")]
        #expect(await browser.fork("view", also: form).status == 200)
        #expect(try await browser.tell().text("client_id") == "view")
        #expect(await lab.idp.refresh(form["refresh_token"]!, client: "app").status == 200)
    }

    @Test(arguments: [
        ("nobody", "400 unauthorized_client"), ("body", "400 unauthorized_client"),
        ("back", "400 unauthorized_client"), ("tidy", "400 unauthorized_client"), ("app", "400 invalid_request"),
        ("", "400 invalid_request"),
    ])
    func refusesAClientThatItIsNotFor(client: String, outcome: String) async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let refused = await browser.fork(client)
        #expect(refused.outcome == outcome)
        #expect(refused.setCookies == [])
        #expect(try await lab.context.store.families(where: { _ in true }, limit: 10).count == 1)
    }

    /// Whoever has but an access token must not make of it what lasts.
    @Test func refusesAnAccessToken() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        browser.forget("pawl_refresh_app_8080")
        #expect(await browser.fork("view").outcome == "401 no_session")
        let access = try #require(browser.accessToken())
        #expect(
            await browser.fork("view", also: ["client_id": "app", "refresh_token": access]).outcome
                == "400 invalid_grant")
    }

    /// A copy that was replaced tells of a theft here as well.
    @Test func aReplacedTokenEndsTheSession() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let thief = lab.browser()
        thief.put("pawl_refresh_app_8080", try #require(browser.refreshToken()), path: "/session")
        #expect(await browser.refresh().status == 200)
        let refused = await thief.fork("view")
        #expect(refused.outcome == "400 invalid_grant")
        #expect(refused.expiredCookies.count == 2)
        #expect(await browser.tell().outcome == "401 invalid_token")
    }

    /// Where a policy refuses what was replaced and ends nothing, the session that lives is forked by its own token alone.
    @Test func refusesAReplacedTokenOfASessionThatLives() async throws {
        let policy = try RotationPolicy(parsing: "strict,window=30s,replay=retry")
        let lab = try await SessionLab { $0.rotation = policy }
        let browser = try await lab.signedIn()
        let late = lab.browser()
        late.put("pawl_refresh_app_8080", try #require(browser.refreshToken()), path: "/session")
        #expect(await browser.refresh().status == 200)
        let refused = await late.fork("view")
        #expect(refused.outcome == "400 invalid_grant")
        #expect(refused.setCookies == [])
        #expect(await browser.fork("view").status == 200)
    }

    @Test func refusesASessionThatIsOver() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let token = try #require(browser.refreshToken())
        _ = await browser.end()
        browser.put("pawl_refresh_app_8080", token, path: "/session")
        #expect(await browser.fork("view").outcome == "400 invalid_grant")
    }

    /// Nothing would end it.
    @Test func refusesASessionWithoutALogin() async throws {
        let lab = try await SessionLab()
        let tokens = try await lab.idp.authorise("app")
        let form = ["client_id": "app", "refresh_token": tokens.refreshToken]
        #expect(await lab.browser().fork("view", also: form).outcome == "400 invalid_request")
        #expect(await lab.idp.refresh(tokens.refreshToken, client: "app").status == 200)
    }

    /// The fork would take the place of the session that it comes from.
    @Test func refusesAClientWhoseCookiesHaveTheSameNames() async throws {
        let lab = try await SessionLab([
            SessionLab.client("twin", ["refresh_cookie": ["name": "pawl_refresh_app_8080"]])
        ])
        let browser = try await lab.signedIn()
        #expect(await browser.fork("twin").outcome == "400 unusable_cookie")
        #expect(await browser.refresh().status == 200)
    }

    @Test func refusesACookieAndATokenInTheBodyAtOnce() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let form = ["client_id": "app", "refresh_token": try #require(browser.refreshToken())]
        #expect(await browser.fork("view", also: form).outcome == "400 ambiguous_session")
    }
}
