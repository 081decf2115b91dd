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

    /// Whoever signs out of the app is signed out of its web view, whatever becomes of the login.
    @Test func endsWithTheSessionThatItCameFrom() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        #expect(await browser.fork("view").status == 200)
        #expect(try await browser.end("/session?client_id=app").text("ended") == "session")
        #expect(await browser.tell().outcome == "401 invalid_token")
        let refused = await browser.refresh()
        #expect(refused.outcome == "400 invalid_grant")
        #expect(refused.expiredCookies.contains("pawl_refresh_view_8080"))
    }

    @Test func whoeverLooksAtTheProviderSeesWhatItCameFrom() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        #expect(await browser.fork("view").status == 200)
        let own = try await lab.family(browser).id.description
        let families = try #require(await lab.idp.get("/_pawl/sessions").json?["families"]?.array)
        #expect(families.count == 2)
        for family in families {
            #expect(family["forked_from"] == (family["client"] == "view" ? .string(own) : .null))
        }
    }

    @Test func leavesTheSessionThatItCameFrom() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        #expect(await browser.fork("view").status == 200)
        #expect(try await browser.end("/session?client_id=view").text("ended") == "session")
        #expect(try await browser.tell().text("client_id") == "app")
        #expect(await browser.refresh().status == 200)
    }

    /// RFC 9700 section 4.14.2: what a stolen token has opened closes when the theft is found out.
    @Test func isNoHidingPlaceForAThief() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let stolen = try #require(browser.refreshToken())
        let thief = lab.browser()
        let form = ["client_id": "app", "refresh_token": stolen]
        #expect(await thief.fork("view", also: form).status == 200)
        let access = try #require(thief.accessToken(of: "view"))
        #expect(await browser.refresh().status == 200)
        #expect(await lab.idp.refresh(stolen, client: "app").outcome == "400 invalid_grant")
        #expect(await thief.tell().outcome == "401 invalid_token")
        #expect(await thief.refresh().outcome == "400 invalid_grant")
        #expect(try await !lab.idp.isActive(access))
    }

    /// Where access tokens outlive a reuse, those of a fork do, and its refresh tokens do not.
    @Test func losesWhatTheSessionThatItCameFromLoses() async throws {
        let policy = try RotationPolicy(parsing: "strict,revoke=family")
        let lab = try await SessionLab { $0.rotation = policy }
        let browser = try await lab.signedIn()
        let spent = try #require(browser.refreshToken())
        #expect(await browser.fork("view").status == 200)
        #expect(await browser.refresh(["client_id": "app"]).status == 200)
        #expect(await lab.idp.refresh(spent, client: "app").outcome == "400 invalid_grant")
        #expect(await browser.send(.get, "/session?client_id=view").status == 200)
        #expect(await browser.refresh(["client_id": "view"]).outcome == "400 invalid_grant")
    }

    @Test func aForkOfAForkEndsWithTheFirst() async throws {
        let lab = try await SessionLab([SessionLab.client("deep", ["fork_to": ["app"]], ["scope": "openid"])]) {
            $0.rotation = .strict
        }
        let middle = try Client(
            json: SessionLab.client("view", ["fork_to": ["deep"]], ["scope": "openid"]),
            by: ClientMetadataRules(.configuration))
        try lab.context.clients.put(middle)
        let browser = try await lab.signedIn()
        #expect(await browser.fork("view").status == 200)
        #expect(await browser.fork("deep", also: ["client_id": "view"]).status == 200)
        #expect(await browser.refresh(["client_id": "deep"]).status == 200)
        #expect(await browser.end("/session?client_id=app").status == 200)
        #expect(await browser.refresh(["client_id": "deep"]).outcome == "400 invalid_grant")
    }

    /// Each fork looks at all that it came from, so that there is an end to them.
    @Test func refusesForksOfForksWithoutEnd() async throws {
        let lab = try await SessionLab([
            SessionLab.client("ping", ["fork_to": ["pong"]]), SessionLab.client("pong", ["fork_to": ["ping"]]),
        ])
        let browser = try await lab.signedIn("ping")
        var (own, other) = ("ping", "pong")
        for _ in 0..<4 {
            #expect(await browser.fork(other, also: ["client_id": own]).status == 200)
            swap(&own, &other)
        }
        #expect(await browser.fork(other, also: ["client_id": own]).outcome == "400 invalid_request")
    }

    @Test func outlivesNothingThatTheUserAuthorised() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        lab.idp.clock.advance(by: .seconds(29 * 86_400))
        #expect(await browser.fork("view").status == 200)
        lab.idp.clock.advance(by: .seconds(86_400))
        #expect(await browser.refresh(["client_id": "view"]).outcome == "400 invalid_grant")
    }

    /// Nor what the policy of the session's client allows.
    @Test func outlivesNotTheAbsoluteLifetimeOfTheSession() async throws {
        let lab = try await SessionLab([
            SessionLab.client("brief", ["fork_to": ["view"]], ["rotation": "strict,absolute=1h"])
        ])
        let browser = try await lab.signedIn("brief")
        lab.idp.clock.advance(by: .seconds(1800))
        let answer = await browser.fork("view")
        #expect(answer.json?["session_expires_at"] == .number(JSONNumber(1_700_003_600)))
        #expect(answer.setCookies.contains { $0.hasPrefix("pawl_refresh_view") && $0.contains("; Max-Age=1800;") })
        lab.idp.clock.advance(by: .seconds(1800))
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
