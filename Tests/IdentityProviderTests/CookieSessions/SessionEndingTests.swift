import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite("Sessions in cookies: ending")
struct SessionEndingTests {
    @Test func endsTheSessionAndTakesItsCookiesAway() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let (access, refresh) = (try #require(browser.accessToken()), try #require(browser.refreshToken()))
        let answer = await browser.end()
        #expect(try answer.text("ended") == "session")
        #expect(answer.expiredCookies == ["pawl_access_app_8080", "pawl_refresh_app_8080"])
        #expect(browser.cookies.isEmpty)
        #expect(try await !lab.idp.isActive(access))
        #expect(await lab.idp.refresh(refresh, client: "app").outcome == "400 invalid_grant")
    }

    /// Expired as it was set: a browser tells cookies by name, domain and path (RFC 6265 section 5.3).
    @Test func expiresACookieWithTheAttributesThatItHas() async throws {
        let lab = try await SessionLab([
            SessionLab.client(
                "odd", ["access_cookie": ["name": "s", "domain": "example.org", "path": "/session"]])
        ])
        let browser = lab.browser(host: "id.example.org", isEncrypted: true)
        #expect(await browser.signIn("odd").status == 200)
        #expect(
            await browser.end().setCookies.first
                == "__Secure-s=; Path=/session; Domain=example.org; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; "
                + "Secure; HttpOnly; SameSite=Lax")
    }

    /// What no browser could have is not taken away, and nobody is kept from signing out by it.
    @Test func endsTheSessionOfAClientWhoseCookiesNoBrowserWouldKeep() async throws {
        let lab = try await SessionLab()
        let client = try Client(json: SessionLab.client("odd", [:]), by: ClientMetadataRules(.configuration))
        var metadata = client.metadata
        metadata.cookieSession?.accessCookie.domain = "not_a_host"
        try lab.context.clients.put(Client(id: "odd", secret: nil, metadata: metadata))
        let answer = await lab.browser().end("/session?client_id=odd")
        #expect(answer.status == 200)
        #expect(answer.expiredCookies == ["pawl_refresh_odd_8080"])
    }

    /// Whoever signs out means the session and not the copy of a token that he has.
    @Test func endsTheSessionOfATokenThatWasReplaced() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let other = lab.browser()
        other.put("pawl_refresh_app_8080", try #require(browser.refreshToken()), path: "/session")
        #expect(await browser.refresh().status == 200)
        #expect(try await other.end().text("ended") == "session")
        #expect(await browser.tell().outcome == "401 invalid_token")
    }

    /// Either cookie is enough, as long as its token is good.
    @Test(arguments: ["pawl_access_app_8080", "pawl_refresh_app_8080"])
    func needsOneOfTheCookies(missing: String) async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let token = try #require(browser.refreshToken())
        browser.forget(missing)
        #expect(try await browser.end().text("ended") == "session")
        #expect(await lab.idp.refresh(token, client: "app").outcome == "400 invalid_grant")
    }

    @Test func endsTheSessionAfterTheAccessTokenHasExpired() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        lab.idp.clock.advance(by: .seconds(3600))
        #expect(try await browser.end().text("ended") == "session")
    }

    /// Nothing that somebody has put into the browser keeps the user from signing out.
    @Test func garbageKeepsNobodyFromSigningOut() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        let second = try await lab.signedIn()
        browser.extraCookies = [
            "pawl_refresh_app_8080=x", "pawl_access_app_8080=y",
            "pawl_refresh_app_8080=\(try #require(second.refreshToken()))",
        ]
        #expect(try await browser.end().text("ended") == "session")
        #expect(await second.tell().outcome == "401 invalid_token")
    }

    @Test func aForgedOrForeignTokenEndsNothing() async throws {
        let lab = try await SessionLab()
        let victim = try await lab.signedIn()
        let token = try #require(victim.refreshToken())
        let browser = lab.browser()
        browser.put("pawl_refresh_view_8080", token, path: "/session")
        #expect(try await browser.end().text("ended") == "nothing")
        browser.put("pawl_refresh_app_8080", String(token.dropLast()), path: "/session")
        let answer = await browser.end()
        #expect(try answer.text("ended") == "nothing")
        #expect(answer.expiredCookies.count == 2)
        #expect(await victim.refresh().status == 200)
    }

    @Test func withoutCookiesNothingEnds() async throws {
        let lab = try await SessionLab()
        let answer = await lab.browser().end()
        #expect(try answer.text("ended") == "nothing")
        #expect(answer.setCookies == [])
        // Whoever says which client it was gets its cookies taken away all the same.
        #expect(await lab.browser().end("/session?client_id=app").expiredCookies.count == 2)
        #expect(await lab.browser().end("/session?client_id=nobody").setCookies == [])
    }

    @Test func endsOneOfSeveralSessions() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        #expect(await browser.fork("view").status == 200)
        #expect(await browser.end("/session?client_id=view").expiredCookies.allSatisfy { $0.contains("view") })
        #expect(try await browser.tell().text("client_id") == "app")
    }

    /// The session alone: what else hangs on the login lives on.
    @Test func leavesTheLoginUnlessItIsToldOtherwise() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn()
        #expect(await browser.fork("view").status == 200)
        let login = try #require(try await lab.family(browser).terms.loginID)
        #expect(try await browser.end("/session?client_id=view").text("ended") == "session")
        #expect(try await lab.context.store.login(login)?.ended == nil)
        #expect(await browser.tell().status == 200)
        #expect(try await browser.end().text("ended") == "session")
        #expect(try await lab.context.store.login(login)?.ended == nil)
    }

    @Test func endsTheLoginWhereTheClientSaysSo() async throws {
        let lab = try await SessionLab()
        let browser = try await lab.signedIn("tidy")
        #expect(await browser.fork("view").status == 200)
        let login = try #require(try await lab.family(browser, "tidy").terms.loginID)
        #expect(try await browser.end("/session?client_id=tidy").text("ended") == "login")
        #expect(try await lab.context.store.login(login)?.ended?.reason == .loggedOut)
        #expect(lab.context.requests.records().last?.logins == [login])
        #expect(await browser.tell().outcome == "401 invalid_token")
        #expect(await browser.refresh().outcome == "400 invalid_grant")
    }

    /// M1: whichever comes first, a session that was ended stays so.
    @Test func aRefreshThatComesAtOnceDoesNotBringItBack() async throws {
        for _ in 0..<20 {
            let lab = try await SessionLab()
            let token = try #require(try await lab.signedIn().refreshToken())
            let idp = lab.idp
            let cookie: HTTPFields = [.cookie: "pawl_refresh_app_8080=\(token)"]
            async let refreshed = idp.respond(.post, "/session/refresh", cookie)
            async let ended = idp.respond(.delete, "/session", cookie)
            let (refresh, end) = (await refreshed, await ended)
            #expect(try end.text("ended") == "session")
            for field in refresh.setCookies where refresh.status == 200 && field.hasPrefix("pawl_refresh") {
                let winner = field.drop { $0 != "=" }.dropFirst().prefix { $0 != ";" }
                #expect(await idp.refresh(String(winner), client: "app").outcome == "400 invalid_grant")
            }
        }
    }
}
