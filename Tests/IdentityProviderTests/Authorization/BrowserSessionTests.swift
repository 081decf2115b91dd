import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

@Suite struct BrowserSessionTests {
    @Test(arguments: [
        (false, "", "pawl_login_8080", "/"), (true, "", "__Host-pawl_login_8080", "/"),
        (false, "/t/one", "pawl_login_8080", "/t/one"), (true, "/t/one", "__Secure-pawl_login_8080", "/t/one"),
    ])
    func tellsBrowsersToKeepItsCookiesToThemselves(
        isEncrypted: Bool, base: String, name: String, path: String
    ) async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp, isEncrypted: isEncrypted)
        let page = try await browser.open(base + AuthorizationQuery().path)
        #expect(try await browser.submit(page, ["user": "alice"]).parameters["code"] != nil)
        let cookies = browser.cookies
        #expect(cookies.map(\.name).contains(name))
        #expect(cookies.count == 2)
        for cookie in cookies {
            #expect(cookie.path == path)
            #expect(cookie.isHTTPOnly)
            #expect(cookie.sameSite == "Lax")
            #expect(cookie.isSecure == isEncrypted)
            #expect(!cookie.isPersistent)
        }
        #expect(try await browser.open(base + AuthorizationQuery().path).parameters["code"] != nil)
    }

    @Test func goesByItsOwnNameBehindAProxy() async throws {
        let issuer = try Issuer("https://id.example/base")
        let idp = try await ProviderUnderTest.signIn { $0.issuer = .fixed(issuer) }
        let answer = await idp.get("/base" + AuthorizationQuery().path, host: "10.0.0.1:8080")
        #expect(answer.field("Location")?.hasPrefix("/base/login?interaction=") == true)
        let cookie = try #require(answer.field("Set-Cookie"))
        #expect(cookie.hasPrefix("__Secure-pawl_browser="))
        #expect(cookie.contains("; Path=/base; Secure; HttpOnly; SameSite=Lax"))
    }

    /// RFC 6265bis section 5.7: browsers ignore an attribute of more than 1024 bytes.
    @Test func itsCookiesAreForEveryPathWhereTheirOwnWouldBeTooLong() async throws {
        let base = "/" + String(repeating: "a", count: 1100)
        let issuer = try Issuer("https://id.example" + base)
        let idp = try await ProviderUnderTest.signIn { $0.issuer = .fixed(issuer) }
        let answer = await idp.get(base + AuthorizationQuery().path, host: "id.example")
        #expect(answer.field("Set-Cookie")?.contains("; Path=/; Secure") == true)
    }

    @Test func tenantsDoNotMeet() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        let query = AuthorizationQuery().path
        let first = try await browser.open("/t/one" + query)
        #expect(first.name == "/t/one/login")
        let code = try #require(try await browser.submit(first, ["user": "alice"]).parameters["code"])
        #expect(try await browser.open("/t/two" + query).name == "/t/two/login")
        #expect(try await browser.open(query).name == "/login")
        #expect(try await browser.open("/t/one" + query).parameters["code"] != nil)
        // RFC 9207: the issuer says whose code it is, and another has no use for it.
        #expect(try await browser.open("/t/one" + query).parameters["iss"] == ProviderUnderTest.issuer + "/t/one")
        #expect(await idp.redeem(code).error == "invalid_grant")
        #expect(await idp.redeem(code, path: "/t/two/token").error == "invalid_grant")
        #expect(await idp.redeem(code, path: "/t/one/token").status == 200)
    }

    @Test func theRootAndATenantKeepTheirLoginsInOneBrowser() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        let query = AuthorizationQuery().path
        for base in ["", "/t/one", "/t/two"] {
            let page = try await browser.open(base + query)
            #expect(try await browser.submit(page, ["user": "alice"]).parameters["code"] != nil)
        }
        for base in ["", "/t/one", "/t/two"] {
            #expect(try await browser.open(base + query).parameters["code"] != nil)
        }
    }

    private func loginCookie(_ browser: Browser) throws -> String {
        try #require(browser.cookies.first { $0.name.contains("pawl_login") }?.value)
    }

    /// Neither the store nor the tokens hold what opens a session.
    @Test func whatClientsSeeOpensNothing() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        let code = try #require(try await browser.signIn().parameters["code"])
        let tokens = await idp.redeem(code)
        let sid = try #require(try await idp.verifiedIDToken(try tokens.text("id_token")).claims["sid"]?.string)
        let cookie = try loginCookie(browser)
        let secret = try #require(cookie.split(separator: ".").last)
        #expect(try Base64URL.decode(String(secret)).count == 32)
        #expect(!sid.contains(secret))
        let login = try #require(try await idp.context.store.login(LoginID(sid)))
        #expect(!"\(login)".contains(secret))
        #expect(!idp.log.lines.contains { $0.contains(secret) })
        let forger = Browser(idp)
        for value in [
            sid, "\(sid).", "\(sid).\(sid)", "\(sid).\(String(repeating: "A", count: 43))", ".\(secret)", "~.~",
        ] {
            forger.put(
                Browser.Cookie(
                    name: "pawl_login_8080", value: value, path: "/", isSecure: false, isHTTPOnly: true,
                    sameSite: nil, isPersistent: false))
            #expect(try await forger.authorize().name == "/login")
        }
    }

    /// Session fixation: who knew the secret of before has nothing.
    @Test func aLoginChangesTheSecret() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        let first = try #require(try await browser.signIn().parameters["code"])
        let thief = Browser(idp)
        thief.copyCookies(of: browser)
        #expect(try await thief.authorize().parameters["code"] != nil)
        let before = try loginCookie(browser)
        idp.clock.advance(by: .seconds(5))
        let page = try await browser.authorize(["prompt": "login"])
        let second = try #require(try await browser.submit(page, ["user": "alice"]).parameters["code"])
        #expect(try loginCookie(browser) != before)
        #expect(try await thief.authorize().name == "/login")
        // To clients it is the same session, and a newer authentication.
        var sids: Set<String> = []
        var times: [JSON?] = []
        for code in [first, second] {
            let token = try await idp.verifiedIDToken(try await idp.redeem(code).text("id_token"))
            sids.insert(try #require(token.claims["sid"]?.string))
            times.append(token.claims["auth_time"])
        }
        #expect(sids.count == 1)
        #expect(times == [1_700_000_000, 1_700_000_005])
    }

    @Test func endsWithTheBrowser() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        _ = try await browser.signIn()
        browser.restart()
        #expect(try await browser.authorize().name == "/login")
    }

    @Test func forgetsAUserWhoIsNotThereAnyMore() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        _ = try await browser.signIn()
        idp.context.users.remove(id: "alice")
        #expect(try await browser.authorize().name == "/login")
        #expect(try await browser.authorize(["prompt": "none"]).parameters["error"] == "login_required")
    }

    @Test func remembersAFewAccountsAndNoMore() async throws {
        let users = try (0..<7).map { try User(username: "user\($0)") }
        let idp = try await ProviderUnderTest(clients: StandardClients.all(), users: users)
        let browser = Browser(idp)
        for user in users {
            let page = try await browser.authorize(["prompt": "login"])
            #expect(try await browser.submit(page, ["user": user.id]).parameters["code"] != nil)
        }
        #expect(try loginCookie(browser).split(separator: "~").count == 5)
        let page = try await browser.authorize(["prompt": "select_account"])
        #expect(page.form?.buttons.filter { $0.name == "account" }.count == 5)
    }

    @Test(arguments: ["", "a", String(repeating: "x", count: 43), "\u{1}"])
    func takesNoSecretThatItDidNotMake(value: String) async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        browser.put(
            Browser.Cookie(
                name: "pawl_browser_8080", value: value, path: "/", isSecure: false, isHTTPOnly: true, sameSite: nil,
                isPersistent: false))
        let page = try await browser.authorize()
        // "x" 43 times is no Base64URL of 32 bytes.
        #expect(browser.cookies.first { $0.name == "pawl_browser_8080" }?.value != value)
        #expect(try await browser.submit(page, ["user": "alice"]).parameters["code"] != nil)
    }

    /// RFC 6265 section 5.4: a browser sends cookies of one name for several paths, and does not say which is whose.
    @Test func findsItsOwnAmongOthersCookies() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        _ = try await browser.signIn()
        for name in ["pawl_browser_8080", "pawl_login_8080"] {
            browser.put(
                Browser.Cookie(
                    name: name, value: "planted", path: "/authorize", isSecure: false, isHTTPOnly: false,
                    sameSite: nil, isPersistent: true))
        }
        #expect(try await browser.authorize().parameters["code"] != nil)
    }
}
