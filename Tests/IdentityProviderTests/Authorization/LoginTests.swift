import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

@Suite struct LoginTests {
    @Test func saysNothingAboutWhichOfTheTwoWasWrong() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        var pages: [String] = []
        for (name, password) in [("alice", "wrong"), ("nobody", "alice"), ("alice", ""), ("ALICE", "alice"), ("", "")] {
            let page = try await browser.submit(
                try await browser.authorize(), ["username": name, "password": password])
            #expect(page.status == 403)
            #expect(page.location == nil)
            pages.append(page.content(of: "h1") ?? "")
        }
        #expect(Set(pages).count == 1)
        #expect(!idp.log.lines.contains { $0.contains("nobody") || $0.contains("wrong\"") })
    }

    @Test func letsTheUserTryAgain() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        let wrong = try await browser.submit(try await browser.authorize(), ["username": "alice", "password": "x"])
        #expect(wrong.form?.value("username") == "alice")
        #expect(wrong.form?.value("password") == "")
        let answer = try await browser.submit(wrong, ["username": "alice", "password": "alice"])
        #expect(answer.parameters["code"] != nil)
    }

    @Test func offersUsersByNameOnlyWhereNothingIsAtStake() async throws {
        let mock = try await ProviderUnderTest.signIn()
        let browser = Browser(mock)
        let page = try await browser.authorize()
        #expect(page.form?.buttons.contains { $0.name == "user" && $0.value == "minji" } == true)
        #expect(try await browser.submit(page, ["user": "minji"]).parameters["code"] != nil)
        let nobody = try await browser.submit(
            try await Browser(mock).authorize(), ["user": "nobody"])
        #expect(nobody.parameters["code"] == nil)

        let strict = try await ProviderUnderTest.signIn { $0.signIn.page = .form }
        let other = Browser(strict)
        let form = try await other.authorize()
        #expect(form.form?.buttons.contains { $0.name == "user" } == false)
        #expect(form.form?.fields.contains { $0.name == "claims" } == false)
        // Nor does a form that somebody made himself help.
        #expect(try await other.submit(form, ["user": "alice"]).status == 403)
        let claims = try await other.submit(
            form, ["username": "alice", "password": "alice", "claims": #"{"role":"admin"}"#])
        let tokens = await strict.redeem(try #require(claims.parameters["code"]))
        #expect(try await strict.verifiedIDToken(try tokens.text("id_token")).claims["role"] == nil)
    }

    @Test func addsClaimsToOneLogin() async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        let claims = #"{"role":"admin","given_name":"Eve","sub":"root","aud":"x","exp":1}"#
        let page = try await browser.submit(try await browser.authorize(), ["user": "alice", "claims": claims])
        let tokens = await idp.redeem(try #require(page.parameters["code"]))
        let token = try await idp.verifiedIDToken(try tokens.text("id_token"))
        #expect(token.claims["role"] == "admin")
        #expect(token.claims["given_name"] == "Eve")
        // What makes it a token of ours stays ours.
        #expect(token.claims.subject == "alice")
        #expect(token.claims.audience == ["web"])
        // The next login has none of it.
        let next = await idp.redeem(try await idp.code())
        #expect(try await idp.verifiedIDToken(try next.text("id_token")).claims["role"] == nil)
    }

    @Test(arguments: ["{", "[]", "null", "\"x\"", "{\"a\":1,\"a\":2}"])
    func refusesClaimsThatAreNoObject(claims: String) async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        let page = try await browser.submit(try await browser.authorize(), ["user": "alice", "claims": claims])
        #expect(page.status == 400)
        #expect(page.form?.value("claims") == claims)
        #expect(page.parameters["code"] == nil)
    }

    /// RFC 6749 section 4.1.2.1.
    @Test(arguments: ["/login", "/consent", "/select-account"])
    func tellsTheClientThatTheUserSaidNo(path: String) async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        if path != "/login" { _ = try await browser.signIn() }
        let prompt = ["/login": "login", "/consent": "consent", "/select-account": "select_account"][path]
        let page = try await browser.authorize(["prompt": prompt])
        #expect(page.name == path)
        let answer = try await browser.submit(page, path == "/consent" ? ["decision": "deny"] : ["cancel": "1"])
        #expect(answer.parameters["error"] == "access_denied")
        #expect(answer.parameters["state"] == "xyz")
        #expect(answer.parameters["iss"] == ProviderUnderTest.issuer)
    }

    @Test func takesWhoeverComesWhereThatIsAllowed() async throws {
        let idp = try await ProviderUnderTest.signIn { $0.allowances = [.anyUser] }
        for (name, subject) in [("zoe", "zoe"), ("alice", "alice"), ("zoe", "zoe")] {
            let browser = Browser(idp)
            let page = try await browser.submit(
                try await browser.authorize(["scope": "openid profile"]), ["username": name, "password": "anything"])
            let tokens = await idp.redeem(try #require(page.parameters["code"]))
            let token = try await idp.verifiedIDToken(try tokens.text("id_token"))
            #expect(token.claims.subject == subject)
            #expect(token.claims["preferred_username"]?.string == name)
        }
        let browser = Browser(idp)
        let page = try await browser.submit(
            try await browser.authorize(), ["username": "조이", "password": "x"])
        #expect(page.parameters["code"] != nil)
        for name in ["", String(repeating: "x", count: 256)] {
            let refused = try await browser.submit(
                try await browser.authorize(["prompt": "login"]), ["username": name, "password": "x"])
            #expect(refused.parameters["code"] == nil)
        }
    }

    @Test func logsInByItselfWhereThatIsAllowed() async throws {
        let idp = try await ProviderUnderTest.signIn { $0.allowances = [.automaticLogin] }
        for (changes, subject) in [
            ([:], "alice"), (["login_hint": "bob"], "bob"), (["login_hint": "nobody"], "alice"),
            (["prompt": "login", "login_hint": "minji"], "minji"), (["prompt": "select_account"], "alice"),
            (["claims": #"{"id_token":{"sub":{"value":"haruto"}}}"#], "haruto"),
        ] as [([String: String?], String)] {
            let browser = Browser(idp)
            let page = try await browser.authorize(changes)
            let tokens = await idp.redeem(try #require(page.parameters["code"], "\(changes)"))
            #expect(try await idp.verifiedIDToken(try tokens.text("id_token")).claims.subject == subject)
            #expect(browser.visited.count == 1)
        }
        // Another user than before, without a page.
        let browser = Browser(idp)
        _ = try await browser.authorize()
        let page = try await browser.authorize(["login_hint": "bob"])
        #expect(page.parameters["code"] != nil)
        // Whether somebody is logged in is what `none` asks.
        let silent = try await Browser(idp).authorize(["prompt": "none"])
        #expect(silent.parameters["error"] == "login_required")
    }

    @Test func takesAnyClientWhereThatIsAllowed() async throws {
        let idp = try await ProviderUnderTest.signIn { $0.allowances = [.anyClient] }
        let redirect = "https://whoever.example/cb"
        let query = AuthorizationQuery([
            "client_id": "whoever", "redirect_uri": redirect, "code_challenge": nil, "code_challenge_method": nil,
        ])
        let code = try await idp.code(query)
        let changes: [String: String?] = ["client_id": "whoever", "redirect_uri": redirect, "code_verifier": nil]
        #expect(await idp.redeem(code, changes).status == 200)
        // Still nothing that a browser would run.
        for bad in ["javascript:alert(1)", "/callback", "data:,x"] {
            let page = try await Browser(idp).authorize(["client_id": "whoever", "redirect_uri": bad])
            #expect(page.location == nil)
            #expect(page.status == 400)
        }
        let strict = try await Browser(try await .signIn()).open(query.path)
        #expect(strict.status == 400)
    }

    // MARK: Pages

    @Test(arguments: ["", "&prompt=consent", "&prompt=select_account", "&redirect_uri=x"])
    func nobodyFramesOrKeepsAPage(extra: String) async throws {
        let idp = try await ProviderUnderTest.signIn()
        let browser = Browser(idp)
        if extra.contains("prompt") { _ = try await browser.signIn() }
        let page = try await browser.open(AuthorizationQuery().path + extra)
        #expect(page.isHTML)
        #expect(page.answer.field("X-Frame-Options") == "DENY")
        #expect(page.answer.field("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
        #expect(page.answer.field("Cache-Control") == "no-store")
        #expect(page.answer.field("X-Content-Type-Options") == "nosniff")
        #expect(page.answer.field("Referrer-Policy") == "same-origin")
    }

    /// Chromium holds `form-action` against the redirects that follow.
    @Test func letsTheFormsLeadToTheClientAndOnFromThere() async throws {
        let idp = try await ProviderUnderTest.signIn([.underTest("shop", redirects: ["https://shop.example/cb"])])
        let page = try await Browser(idp).authorize([
            "client_id": "shop", "redirect_uri": "https://shop.example/cb",
        ])
        #expect(
            page.answer.field("Content-Security-Policy")?.contains(
                "form-action 'self' https: http: https://shop.example;")
                == true)
    }

    @Test func writesWhatOthersSayAsText() async throws {
        let idp = try await ProviderUnderTest.signIn([
            .underTest("evil") { metadata in
                metadata.name = "<script>alert(1)</script>"
                metadata.policyURI = "javascript:alert(1)"
            }
        ])
        let page = try await Browser(idp).authorize(["client_id": "evil", "login_hint": "\"><script>alert(2)</script>"])
        #expect(page.name == "/login")
        #expect(!page.text.contains("<script>alert"))
        #expect(!page.text.contains("javascript:"))
    }
}
