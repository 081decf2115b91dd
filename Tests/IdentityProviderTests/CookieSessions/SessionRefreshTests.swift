import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite("Sessions in cookies: refresh")
struct SessionRefreshTests {
    @Test func rotates() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let (access, refresh) = (browser.accessToken(), browser.refreshToken())
        lab.idp.clock.advance(by: .seconds(300))
        #expect(await browser.tell().outcome == "401 invalid_token")
        let answer = await browser.refresh()
        #expect(answer.status == 200)
        #expect(answer.json?["expires_in"]?.int64 == 300)
        #expect(browser.accessToken() != access && browser.refreshToken() != refresh)
        #expect(await browser.tell().status == 200)
        #expect(try await lab.family(browser).rotation.current == 2)
    }

    /// What is to go wrong with a family does so whether its token comes in a cookie or in the body.
    @Test func isKnownByItsCookie() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let family = try await lab.family(browser)
        var filter = PassageFilter()
        filter.family = family.id
        lab.context.checkpoints.faults.add(Fault(.status(503), for: filter))
        let other = try await lab.signedIn()
        #expect(await other.refresh().status == 200)
        #expect(await browser.refresh().status == 503)
        let record = lab.context.requests.records().last?.refresh
        #expect(record?.family == family.id && record?.node == 1 && record?.verdict == .rotated)
    }

    /// Pages send no `client_id`: the names of their cookies tell whose they are.
    @Test func isKnownByTheClientOfItsCookies() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let other = try await lab.signedIn("tidy")
        var filter = PassageFilter()
        filter.clientID = "app"
        lab.context.checkpoints.faults.add(Fault(.status(503), for: filter))
        #expect(await other.refresh().status == 200)
        #expect(await browser.refresh().status == 503)
        #expect(await other.refresh().status == 200)
        let named = lab.context.requests.records().filter { $0.path == "/session/refresh" }.map(\.clientID)
        #expect(named == ["tidy", "app", "tidy"])
    }

    @Test func isOfNobodyWhereCookiesOfSeveralCome() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let other = try await lab.signedIn("tidy")
        for (name, cookie) in other.cookies { browser.put(name, cookie.value, path: cookie.path) }
        var filter = PassageFilter()
        filter.clientID = "app"
        lab.context.checkpoints.faults.add(Fault(.status(503), for: filter))
        #expect(await browser.refresh().status == 400)
    }

    /// The lifetime of the session is that of its beginning: no refresh extends it.
    @Test func theCookieEndsWithTheSession() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        lab.idp.clock.advance(by: .seconds(86_400))
        #expect(await browser.refresh().setCookies.first?.contains("Max-Age=2505600;") == true)
    }

    /// An absolute lifetime of the policy is the end of the session, wherever an end is said.
    @Test func tellsTheEndThatThePolicySets() async throws {
        let policy = try RotationPolicy(parsing: "strict,absolute=1h")
        let lab = try await SessionLab { $0.rotation = policy }
        let browser = lab.browser()
        let answer = await browser.signIn()
        #expect(answer.json?["session_expires_at"] == .number(JSONNumber(1_700_003_600)))
        #expect(answer.setCookies.first?.contains("; Max-Age=3600;") == true)
        lab.idp.clock.advance(by: .seconds(1800))
        let later = await browser.refresh()
        #expect(later.json?["session_expires_at"] == .number(JSONNumber(1_700_003_600)))
        #expect(later.setCookies.first?.contains("; Max-Age=1800;") == true)
    }

    /// S3: body and cookies are two ways to one session.
    @Test func goesOnWithATokenOfTheBody() async throws {
        let lab = try await SessionLab()
        let tokens = await lab.idp.redeem(try await lab.code(), ["client_id": "app"])
        let browser = lab.browser()
        let answer = await browser.refresh([
            "client_id": "app", "refresh_token": try tokens.text("refresh_token"),
        ])
        #expect(answer.status == 200)
        #expect(try await browser.tell().text("sub") == "alice")
        #expect(try await lab.family(browser).rotation.current == 2)
        let replayed = await lab.idp.refresh(try tokens.text("refresh_token"), client: "app")
        #expect(replayed.outcome == "400 invalid_grant")
        #expect(await browser.tell().outcome == "401 invalid_token")
    }

    @Test func goesOnInTheBodyWithATokenOfTheCookie() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let token = try #require(browser.refreshToken())
        let tokens = await lab.idp.refresh(token, client: "app")
        #expect(tokens.status == 200)
        #expect(await browser.refresh().outcome == "400 invalid_grant")
        #expect(await lab.idp.refresh(try tokens.text("refresh_token"), client: "app").outcome == "400 invalid_grant")
    }

    /// RFC 9700 section 4.14.2: a token that was replaced ends the session. Its cookies are worth nothing, the winner's
    /// neither.
    @Test func takesTheCookiesAwayOfASessionThatIsOver() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let spent = try #require(browser.refreshToken())
        #expect(await browser.refresh().status == 200)
        browser.put("pawl_refresh_app_8080", spent, path: "/session")
        let refused = await browser.refresh()
        #expect(refused.outcome == "400 invalid_grant")
        #expect(refused.expiredCookies == ["pawl_access_app_8080", "pawl_refresh_app_8080"])
        #expect(refused.setCookies.allSatisfy { $0.contains("Expires=Thu, 01 Jan 1970 00:00:00 GMT") })
        #expect(browser.cookies.isEmpty)
    }

    /// Whatever has ended it: its time, that nobody used it, or a reuse that spared the access tokens.
    @Test(arguments: ["strict,idle=1h", "strict,absolute=1h", "oidc-provider,idle=1h", "auth0"])
    func takesTheCookiesAwayOfASessionThatNoRefreshBringsBack(rotation: String) async throws {
        let policy = try RotationPolicy(parsing: rotation)
        let lab = try await SessionLab { $0.rotation = policy }
        let browser = try await lab.signedIn()
        let spent = try #require(browser.refreshToken())
        if rotation == "auth0" {
            #expect(await browser.refresh().status == 200)
            #expect(await lab.idp.refresh(spent, client: "app").outcome == "400 invalid_grant")
        } else {
            lab.idp.clock.advance(by: .seconds(3600))
        }
        let refused = await browser.refresh()
        #expect(refused.outcome == "400 invalid_grant")
        #expect(refused.expiredCookies == ["pawl_access_app_8080", "pawl_refresh_app_8080"])
    }

    /// R1, C10: what did not end the session leaves the browser what somebody else has just put there.
    @Test func leavesTheCookiesOfASessionThatLives() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let family = try await lab.family(browser)
        let good = try #require(browser.refreshToken())
        browser.put(
            "pawl_refresh_app_8080", lab.context.refreshTokens.token(of: family.id, node: 7), path: "/session")
        let refused = await browser.refresh()
        #expect(refused.outcome == "400 invalid_grant")
        #expect(refused.setCookies == [])
        browser.put("pawl_refresh_app_8080", good, path: "/session")
        #expect(await browser.refresh().status == 200)
    }

    /// What goes with the answer at the token endpoint goes with it here.
    @Test func saysWhyInTheHeaderOfTheProvider() async throws {
        let name = "sb-auth-refresh-token-reuse-cause"
        let lab = try await SessionLab { $0.rotation = .supabase }
        let browser = try await lab.signedIn()
        let spent = try #require(browser.refreshToken())
        #expect(await browser.refresh().field(name) == nil)
        browser.put("pawl_refresh_app_8080", spent, path: "/session")
        let answer = await browser.refresh()
        #expect(answer.status == 200)
        #expect(answer.field(name) == "concurrent-refresh,fail-to-save")
    }

    /// A page of another origin sees of an answer what it is told to see.
    @Test func aPageThatMayReadTheAnswerSeesWhy() async throws {
        let name = "sb-auth-refresh-token-reuse-cause"
        let lab = try await SessionLab { $0.rotation = .supabase }
        let browser = try await lab.signedIn("shop")
        let spent = try #require(browser.refreshToken(of: "shop"))
        #expect(await browser.refresh().status == 200)
        let origin = "http://localhost:3000"
        let answers = [
            await lab.idp.token(
                "grant_type=refresh_token&client_id=shop&refresh_token=\(spent)", also: [.origin: origin]),
            await lab.idp.respond(
                .post, "/session/refresh",
                [.origin: SessionLab.shopOrigin, .cookie: "pawl_refresh_shop_8080=\(spent)"]),
        ]
        for answer in answers {
            #expect(answer.status == 200)
            #expect(answer.field(name) == "concurrent-refresh,fail-to-save")
            #expect(answer.field("Access-Control-Expose-Headers")?.hasSuffix(", " + name) == true)
        }
    }

    @Test func refusesInTheWayThatThePolicyHasChosen() async throws {
        let policy = try RotationPolicy(
            parsing: "strict,status=409,error=refresh_token_already_used,headers=Retry-After:1,cause-header=X-Cause")
        let lab = try await SessionLab { $0.rotation = policy }
        let browser = try await lab.signedIn()
        let spent = try #require(browser.refreshToken())
        #expect(await browser.refresh().field("X-Cause") == nil)
        browser.put("pawl_refresh_app_8080", spent, path: "/session")
        let refused = await browser.refresh()
        #expect(refused.outcome == "409 refresh_token_already_used")
        #expect(refused.field("Retry-After") == "1")
        #expect(refused.field("X-Cause") == "reused")
    }

    /// C10: a refusal that comes late finds the cookies of a newer session by the same names.
    @Test func leavesTheCookiesUnlessItIsToldOtherwise() async throws {
        let lab = try await SessionLab([SessionLab.client("kept", [:])])
        let browser = try await lab.signedIn("kept")
        let spent = try #require(browser.refreshToken(of: "kept"))
        #expect(await browser.refresh().status == 200)
        let late = lab.browser()
        late.put("pawl_refresh_kept_8080", spent, path: "/session")
        let refused = await late.refresh()
        #expect(refused.outcome == "400 invalid_grant")
        #expect(await browser.signIn("kept").status == 200)
        #expect(refused.setCookies == [])
        #expect(await browser.refresh().status == 200)
    }

    /// A token that came in a body says nothing of the browser's cookies.
    @Test func aTokenInTheBodyTakesNoCookieAway() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let spent = try #require(browser.refreshToken())
        #expect(await browser.refresh().status == 200)
        let refused = await lab.browser().refresh(["client_id": "app", "refresh_token": spent])
        #expect(refused.outcome == "400 invalid_grant")
        #expect(refused.setCookies == [])
    }

    /// Of many who come with one cookie, the policy lets one through, here as at the token endpoint.
    @Test func ofManyAtOnceOneWins() async throws {
        let lab = try await SessionLab()
        let token = try #require(try await lab.signedIn().refreshToken())
        let idp = lab.idp
        let outcomes = await withTaskGroup(of: String.self) { group in
            for number in 0..<16 {
                group.addTask {
                    guard number.isMultiple(of: 2) else {
                        return await idp.refresh(token, client: "app").outcome
                    }
                    return await idp.respond(
                        .post, "/session/refresh", [.cookie: "pawl_refresh_app_8080=\(token)"]
                    ).outcome
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count { $0 == "200" } == 1)
        #expect(outcomes.count { $0 == "400 invalid_grant" } == 15)
    }

    /// Under another policy, another outcome: it is the token endpoint's.
    @Test func isJudgedByTheSamePolicy() async throws {
        let lab = try await SessionLab { $0.rotation = .reuse }
        let browser = try await lab.signedIn()
        let token = try #require(browser.refreshToken())
        for _ in 0..<3 { #expect(await browser.refresh().status == 200) }
        #expect(browser.refreshToken() == token)
        #expect(await lab.idp.refresh(token, client: "app").status == 200)
    }

    /// The refresh token is replaced by then: its cookie comes with the error.
    @Test func aTokenThatGrewTooLongLosesNoSession() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let claims: JSONObject = ["long": .string(String(repeating: "x", count: 4000))]
        for (more, outcome) in [(["claims": .object(claims)], "500 server_error"), ([:], "200")]
            as [(JSONObject, String)]
        {
            try lab.context.clients.put(
                Client(json: SessionLab.client("app", [:], more), by: ClientMetadataRules(.configuration)))
            #expect(await browser.refresh().outcome == outcome)
        }
        #expect(try await lab.family(browser).rotation.current == 3)
    }

    // MARK: What nobody can tell

    @Test func refusesACookieAndATokenInTheBodyAtOnce() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let token = try #require(browser.refreshToken())
        for body in [token, "x"] {
            let refused = await browser.refresh(["client_id": "app", "refresh_token": body])
            #expect(refused.outcome == "400 ambiguous_session")
            #expect(refused.setCookies == [])
        }
        #expect(try await lab.family(browser).rotation.current == 1)
        #expect(await browser.refresh().status == 200)
    }

    /// RFC 6265 section 8.6: a neighbour on the domain can set another cookie of the name.
    @Test(arguments: ["x", "rt1.x", "other"]) func refusesTwoCookiesOfOneName(value: String) async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        var value = value
        if value == "other" { value = try #require(try await lab.signedIn().refreshToken()) }
        browser.extraCookies = ["pawl_refresh_app_8080=\(value)"]
        let refused = await browser.refresh()
        #expect(refused.outcome == "400 ambiguous_session")
        #expect(refused.setCookies == [])
        browser.extraCookies = []
        #expect(await browser.refresh().status == 200)
    }

    @Test func takesOneCookieThatCameTwice() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        browser.extraCookies = ["pawl_refresh_app_8080=\(try #require(browser.refreshToken()))"]
        #expect(await browser.refresh().status == 200)
    }

    @Test func refusesCookiesOfSeveralClientsUnlessOneIsNamed() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        #expect(await browser.fork("view").status == 200)
        #expect(await browser.refresh().outcome == "400 ambiguous_session")
        #expect(await browser.tell().outcome == "400 ambiguous_session")
        for client in ["app", "view"] {
            #expect(try await browser.refresh(["client_id": client]).text("client_id") == client)
            #expect(try await browser.send(.get, "/session?client_id=\(client)").text("client_id") == client)
        }
    }

    @Test(arguments: ["x", "rt1.", "rt1.AAAA", "rt1.%", "at1.x", "a.b.c", "\"rt1.x\""])
    func refusesAMalformedCookie(value: String) async throws {
        let lab = try await SessionLab()
        let browser = lab.browser()
        browser.put("pawl_refresh_app_8080", value, path: "/session")
        let refused = await browser.refresh()
        #expect(refused.outcome == "400 malformed_cookie")
        #expect(refused.setCookies == [])
    }

    /// One byte of the code differs: it is no token of ours, and ends nothing.
    @Test func refusesAForgedCookie() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let token = try #require(browser.refreshToken())
        browser.put(
            "pawl_refresh_app_8080", token.dropLast(2) + (token.hasSuffix("AA") ? "BB" : "AA"), path: "/session")
        #expect(await browser.refresh().outcome == "400 malformed_cookie")
        browser.put("pawl_refresh_app_8080", token, path: "/session")
        #expect(await browser.refresh().status == 200)
    }

    @Test func refusesARequestWithoutAToken() async throws {
        let lab = try await SessionLab()
        for form in [[:], ["client_id": "app"], ["client_id": "nobody"]] {
            let refused = await lab.browser().refresh(form)
            #expect(refused.outcome == "401 no_session")
            #expect(refused.field("WWW-Authenticate") == "Bearer realm=\"pawl\"")
        }
        let browser = lab.browser()
        browser.extraCookies = ["pawl_refresh_app_8080=", "pawl_refresh_body_8080=rt1.x"]
        #expect(await browser.refresh().outcome == "401 no_session")
    }

    @Test func refusesATokenInTheBodyWithoutItsClient() async throws {
        let lab = try await SessionLab()
        let token = try #require(try await lab.signedIn().refreshToken())
        #expect(await lab.browser().refresh(["refresh_token": token]).outcome == "400 invalid_request")
        #expect(await lab.idp.refresh(token, client: "app").status == 200)
    }

    // MARK: Whose it is

    /// RFC 6749 section 6: the token is bound to its client.
    @Test func refusesTheTokenOfAnotherClient() async throws {
        let lab = try await SessionLab()
        let token = try #require(try await lab.signedIn().refreshToken())
        let browser = lab.browser()
        browser.put("pawl_refresh_view_8080", token, path: "/session")
        let refusals = [
            await browser.refresh(), await browser.refresh(["client_id": "view"]),
            await lab.browser().refresh(["client_id": "view", "refresh_token": token]),
        ]
        for refused in refusals {
            #expect(refused.outcome == "400 invalid_grant")
            #expect(refused.setCookies == [])
        }
        #expect(await lab.idp.refresh(token, client: "app").status == 200)
    }

    /// RFC 6749 section 6: a confidential client proves itself, and a cookie proves no client.
    @Test func refusesTheTokenOfAClientThatAuthenticates() async throws {
        let lab = try await SessionLab()
        let tokens = try await lab.idp.authorise("back")
        for form in [
            ["client_id": "back", "refresh_token": tokens.refreshToken],
            ["client_id": "app", "refresh_token": tokens.refreshToken],
        ] {
            #expect(await lab.browser().refresh(form).outcome == "400 invalid_grant")
        }
        let browser = lab.browser()
        browser.put("pawl_refresh_app_8080", tokens.refreshToken, path: "/session")
        #expect(await browser.refresh().outcome == "400 invalid_grant")
        #expect(await lab.idp.refresh(tokens.refreshToken, as: "back").status == 200)
    }

    /// RFC 9449 section 5: a token that is bound to a key is good with a proof alone.
    @Test func refusesATokenThatIsBoundToAKey() async throws {
        let lab = try await SessionLab()
        let now = lab.idp.clock.now()
        let terms = FamilyTerms(
            id: FamilyID(from: SystemRandom()), clientID: "app", userID: "alice", scope: .empty,
            confirmation: .proofKey(thumbprint: "t"), began: now, expires: nil)
        var family = Family(terms)
        family.rotation.begin(at: now)
        try await lab.context.store.keep(family)
        let browser = lab.browser()
        browser.put(
            "pawl_refresh_app_8080", lab.context.refreshTokens.token(of: terms.id, node: 1), path: "/session")
        for answer in [await browser.refresh(), await browser.fork("view")] {
            #expect(answer.outcome == "400 invalid_grant")
            #expect(answer.setCookies == [])
        }
        #expect(try await lab.context.store.family(terms.id)?.rotation.current == 1)
    }

    // MARK: Sessions that are over

    @Test func refusesASessionWhoseTimeIsOver() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        lab.idp.clock.advance(by: .seconds(30 * 86_400) - .milliseconds(1))
        #expect(await browser.refresh().status == 200)
        lab.idp.clock.advance(by: .milliseconds(1))
        let refused = await browser.refresh()
        #expect(refused.outcome == "400 invalid_grant")
        #expect(refused.expiredCookies.count == 2)
    }

    @Test func refusesASessionThatSomebodyEnded() async throws {
        let lab = try await SessionLab()
        var ended: [SessionBrowser] = []
        let revoked = try await lab.signedIn()
        let token = try #require(revoked.refreshToken())
        _ = await lab.idp.token("client_id=app&token=\(token)", path: "/revoke")
        ended.append(revoked)
        let loggedOut = try await lab.signedIn()
        let login = try #require(try await lab.family(loggedOut).terms.loginID)
        try await LoginEnding(context: lab.context).end([login], .ended, as: nil, at: lab.idp.clock.now())
        ended.append(loggedOut)
        for browser in ended {
            #expect(await browser.tell().outcome == "401 invalid_token")
            let refused = await browser.refresh()
            #expect(refused.outcome == "400 invalid_grant")
            #expect(refused.expiredCookies.count == 2)
        }
    }

    @Test func refusesASessionOfAUserWhoIsGone() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        lab.context.users.remove(id: "alice")
        #expect(await browser.tell().outcome == "401 invalid_token")
        #expect(await browser.refresh().outcome == "400 invalid_grant")
    }

    /// The scope may be less, and never more.
    @Test func refusesAScopeThatWasNotGranted() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        #expect(await browser.refresh(["scope": "openid admin"]).outcome == "400 invalid_scope")
        #expect(try await browser.refresh(["scope": "openid"]).text("scope") == "openid")
    }

    @Test func hasNoOtherMethod() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        for (method, path) in [
            (HTTPRequest.Method.get, "/session/refresh"), (.get, "/session/fork"), (.post, "/session/resource"),
            (.put, "/session"),
        ] {
            #expect(await browser.send(method, path).status == 405)
        }
        #expect(try await lab.family(browser).rotation.current == 1)
    }
}
