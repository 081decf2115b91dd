import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

@Suite struct ConsentTests {
    let idp: ProviderUnderTest

    init() async throws {
        idp = try await .signIn([
            .underTest("asks") { $0.consent = .remembered },
            .underTest("nags") { $0.consent = .always },
        ])
    }

    private func ask(_ browser: Browser, _ changes: [String: String?] = [:]) async throws -> BrowserPage {
        try await browser.signIn(
            AuthorizationQuery(["client_id": "asks", "scope": "openid email"].merging(changes) { $1 }))
    }

    private func scope(of page: BrowserPage, client: String = "asks") async throws -> String {
        let tokens = await idp.redeem(try #require(page.parameters["code"]), ["client_id": client])
        return try tokens.text("scope")
    }

    @Test func asksUntilTheUserHasAgreed() async throws {
        let browser = Browser(idp)
        let page = try await ask(browser)
        #expect(page.name == "/consent")
        #expect(page.form?.fields.filter(\.isCheckbox).map(\.value) == ["email"])
        #expect(try await scope(of: browser.submit(page, ["decision": "allow"])) == "openid email")
        #expect(try await scope(of: ask(browser)) == "openid email")
        #expect(try await scope(of: ask(browser, ["scope": "openid"])) == "openid")
        // More than before is asked for again, and what others agreed to is no matter.
        #expect(try await ask(browser, ["scope": "openid email phone"]).name == "/consent")
        let other = Browser(idp)
        let others = try await other.signIn(AuthorizationQuery(["client_id": "asks"]), as: "bob")
        #expect(others.name == "/consent")
    }

    @Test func forgetsWhatIsWithdrawn() async throws {
        let browser = Browser(idp)
        _ = try await browser.submit(try await ask(browser), ["decision": "allow"])
        try await idp.context.store.withdrawConsents { user, client in user == "alice" && client == "asks" }
        #expect(try await ask(browser).name == "/consent")
    }

    /// Who takes the check away from what he agreed to before does not agree to it any more.
    @Test func withdrawsWhatIsUncheckedLater() async throws {
        let browser = Browser(idp)
        _ = try await browser.submit(try await ask(browser, ["scope": "openid email phone"]), ["decision": "allow"])
        let page = try await ask(browser, ["scope": "openid email address"])
        #expect(page.name == "/consent")
        let answer = try await browser.submit(page, ["decision": "allow"], unchecked: ["email"])
        #expect(try await scope(of: answer) == "openid address")
        // What was not asked for this time stays.
        #expect(try await scope(of: ask(browser, ["scope": "openid phone address"])) == "openid phone address")
        #expect(try await ask(browser).name == "/consent")
    }

    @Test func letsTheUserGiveLess() async throws {
        let browser = Browser(idp)
        let page = try await ask(browser, ["scope": "openid email phone"])
        let answer = try await browser.submit(page, ["decision": "allow"], unchecked: ["email"])
        let tokens = await idp.redeem(try #require(answer.parameters["code"]), ["client_id": "asks"])
        // RFC 6749 section 5.1: REQUIRED where it differs from what was asked.
        #expect(try tokens.text("scope") == "openid phone")
        #expect(try await idp.verifiedIDToken(try tokens.text("id_token"), for: "asks").claims["email"] == nil)
    }

    /// What was not asked for cannot be granted either, whatever the form says.
    @Test func givesNoMoreThanWasAskedFor() async throws {
        let browser = Browser(idp)
        let page = try await ask(browser)
        let answer = try await browser.submit(page, ["decision": "allow", "scope": "admin"])
        #expect(try await scope(of: answer) == "openid")
    }

    @Test(arguments: [["decision": "deny"], ["decision": ""], ["decision": "ALLOW"], [:]])
    func givesNothingWithoutAgreement(values: [String: String]) async throws {
        let browser = Browser(idp)
        let answer = try await browser.submit(try await ask(browser), values)
        #expect(answer.parameters["error"] == "access_denied")
        #expect(try await idp.context.store.consent(of: "alice", to: "asks", for: []) == nil)
    }

    @Test func nothingAtAllIsARefusal() async throws {
        let browser = Browser(idp)
        let page = try await ask(browser, ["scope": "read write"])
        let answer = try await browser.submit(page, ["decision": "allow"], unchecked: ["read", "write"])
        #expect(answer.parameters["error"] == "access_denied")
    }

    @Test func asksEachTimeWhereThatIsWanted() async throws {
        let browser = Browser(idp)
        for _ in 0..<2 {
            let page = try await browser.signIn(AuthorizationQuery(["client_id": "nags"]))
            #expect(page.name == "/consent")
            #expect(try await browser.submit(page, ["decision": "allow"]).parameters["code"] != nil)
        }
    }

    @Test func asksSilentlyForNothing() async throws {
        let browser = Browser(idp)
        _ = try await browser.signIn()
        for client in ["asks", "nags"] {
            let page = try await browser.authorize(["client_id": client, "prompt": "none"])
            #expect(page.parameters["error"] == "consent_required")
        }
    }

    /// OpenID Connect Core section 11: a consent for offline access; among what is asked for where anything is.
    @Test func asksForOfflineAccessWhereItAsksAtAll() async throws {
        let browser = Browser(idp)
        let page = try await ask(browser, ["scope": "openid offline_access"])
        #expect(page.form?.fields.filter(\.isCheckbox).map(\.value) == ["offline_access"])
        let answer = try await browser.submit(page, ["decision": "allow"], unchecked: ["offline_access"])
        #expect(try await scope(of: answer) == "openid")
        let implied = try await browser.authorize(["scope": "openid offline_access"])
        #expect(try await scope(of: implied, client: "web") == "openid offline_access")
    }

    /// OpenID Connect Core section 11: MUST be ignored where no code results.
    @Test func ignoresOfflineAccessWhereNoCodeResults() async throws {
        let page = try await Browser(idp).signIn(
            .service(["response_type": "token", "scope": "read offline_access"]))
        #expect(page.parameters["scope"] == "read")
    }

    /// The page was shown to one account; another of the same browser does not agree in its place.
    @Test func holdsTheAgreementToWhomItWasShown() async throws {
        let browser = Browser(idp)
        let page = try await ask(browser)
        let id = try #require(page.form?.value("interaction"))
        let login = try await browser.open("/login?interaction=\(id)")
        #expect(try await browser.submit(login, ["user": "bob"]).name == "/consent")
        let stale = try await browser.submit(page, ["decision": "allow"])
        #expect(stale.name == "/consent")
        #expect(stale.text.contains("Bob Brown"))
        #expect(try await idp.context.store.consent(of: "bob", to: "asks", for: []) == nil)
    }

    /// Who steps back after the answer and goes on as somebody else is asked himself.
    @Test func whatOneHasAgreedToNobodyElseHas() async throws {
        let browser = Browser(idp)
        let page = try await browser.signIn(AuthorizationQuery(["client_id": "nags"]))
        let id = try #require(page.form?.value("interaction"))
        #expect(try await browser.submit(page, ["decision": "allow"]).parameters["code"] != nil)
        let login = try await browser.open("/login?interaction=\(id)")
        let others = try await browser.submit(login, ["user": "bob"])
        #expect(others.name == "/consent")
        #expect(others.text.contains("Bob Brown"))
    }

    @Test func showsNothingToAgreeToBeforeALogin() async throws {
        let browser = Browser(idp)
        let login = try await browser.authorize(["client_id": "asks"])
        let id = try #require(login.form?.value("interaction"))
        #expect(try await browser.open("/consent?interaction=\(id)").name == "/login")
        #expect(try await browser.open("/select-account?interaction=\(id)").name == "/login")
    }

    /// RFC 8707 section 2: what is agreed to for one resource is agreed to for no other, and not for the provider's own.
    @Test func remembersForWhichResourceTheUserAgreed() async throws {
        let (one, two) = ("https://one.example/", "https://two.example/")
        let browser = Browser(idp)
        let page = try await ask(browser, ["resource": one])
        #expect(try await scope(of: browser.submit(page, ["decision": "allow"])) == "openid email")
        #expect(try await ask(browser, ["resource": one]).parameters["code"] != nil)
        #expect(try await ask(browser, ["resource": two]).name == "/consent")
        #expect(try await ask(browser).name == "/consent")
        #expect(try await ask(browser, ["resource": two, "prompt": "none"]).parameters["error"] == "consent_required")
        // Byte by byte (RFC 3986 section 6.2.1).
        #expect(try await ask(browser, ["resource": "https://one.example"]).name == "/consent")
    }

    @Test func whatIsAgreedToWithoutAResourceIsForNone() async throws {
        let browser = Browser(idp)
        _ = try await browser.submit(try await ask(browser), ["decision": "allow"])
        #expect(try await ask(browser).parameters["code"] != nil)
        #expect(try await ask(browser, ["resource": "https://one.example/"]).name == "/consent")
    }

    /// Of several resources, each has to be agreed to; one page is enough for all, and what is unchecked is for none.
    @Test func severalResourcesAreAgreedToEach() async throws {
        let browser = Browser(idp)
        let both = { (scope: String) in
            var query = AuthorizationQuery(["client_id": "asks", "scope": scope, "resource": "https://one.example/"])
            query.add("resource", "https://two.example/")
            return query
        }
        _ = try await browser.submit(
            try await ask(browser, ["resource": "https://one.example/"]), ["decision": "allow"])
        let page = try await browser.signIn(both("openid email"))
        #expect(page.name == "/consent")
        _ = try await browser.submit(page, ["decision": "allow"], unchecked: ["email"])
        #expect(try await browser.signIn(both("openid")).parameters["code"] != nil)
        #expect(try await browser.signIn(both("openid email")).name == "/consent")
        #expect(try await ask(browser, ["resource": "https://one.example/"]).name == "/consent")
        let less = try await ask(browser, ["resource": "https://two.example/", "scope": "openid"])
        #expect(less.parameters["code"] != nil)
    }

    @Test func showsWhatTheTokensAreFor() async throws {
        let page = try await ask(Browser(idp), ["resource": "https://api.example/v1"])
        #expect(page.text.contains("https://api.example/v1"))
        #expect(page.text.contains("Alice Adams"))
    }
}
