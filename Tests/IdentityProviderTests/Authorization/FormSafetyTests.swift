import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite struct FormSafetyTests {
    let idp: ProviderUnderTest

    init() async throws { idp = try await .signIn() }

    /// The page of each form, and what its user would send.
    private func page(_ name: String, in browser: Browser) async throws -> (BrowserPage, [String: String]) {
        if name != "login" { _ = try await browser.signIn() }
        let prompt = name == "login" ? nil : name
        let page = try await browser.authorize(["prompt": prompt])
        switch name {
        case "login": return (page, ["user": "alice"])
        case "consent": return (page, ["decision": "allow"])
        default:
            return (page, ["account": try #require(page.form?.buttons.first { $0.name == "account" }?.value)])
        }
    }

    private static let forms = ["login", "consent", "select_account"]

    @Test(arguments: FormSafetyTests.forms)
    func takesAFormThatItMade(name: String) async throws {
        let browser = Browser(idp)
        let (page, values) = try await page(name, in: browser)
        #expect(try await browser.submit(page, values).parameters["code"] != nil)
    }

    @Test(arguments: FormSafetyTests.forms)
    func takesAFormFromABrowserThatSaysNothingAboutItsOrigin(name: String) async throws {
        let browser = Browser(idp)
        let (page, values) = try await page(name, in: browser)
        #expect(try await browser.submit(page, values, fields: [:]).parameters["code"] != nil)
    }

    @Test(
        arguments: FormSafetyTests.forms,
        [
            ["csrf": nil], ["csrf": ""], ["csrf": "x"], ["csrf": String(repeating: "A", count: 43)],
            ["interaction": nil], ["interaction": "x"],
        ] as [[String: String?]])
    func refusesAFormThatItDidNotMake(name: String, changing: [String: String?]) async throws {
        let browser = Browser(idp)
        let (page, values) = try await page(name, in: browser)
        let answer = try await browser.submit(page, values, changing: changing)
        #expect([400, 403].contains(answer.status))
        #expect(answer.location == nil)
        #expect(answer.isHTML)
    }

    @Test(
        arguments: FormSafetyTests.forms,
        [
            ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": "https://localhost:8080"],
            ["Origin": "http://localhost:8081"], ["Origin": "http://localhost"],
            ["Origin": "http://evil.localhost:8080"],
            ["Origin": "x"], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
            ["Origin": "http://localhost:8080", "Sec-Fetch-Site": "cross-site"],
        ])
    func refusesAFormThatAnotherSiteSent(name: String, fields: [String: String]) async throws {
        let browser = Browser(idp)
        let (page, values) = try await page(name, in: browser)
        let answer = try await browser.submit(page, values, fields: fields)
        #expect(answer.status == 403)
        #expect(answer.location == nil)
    }

    /// A form that somebody got in his own browser is worth nothing in another's.
    @Test(arguments: FormSafetyTests.forms)
    func refusesAFormOfAnotherBrowser(name: String) async throws {
        let attacker = Browser(idp)
        let (page, values) = try await page(name, in: attacker)
        let victim = Browser(idp)
        _ = try await victim.signIn(as: "bob")
        let answer = try await victim.submit(page, values)
        #expect(answer.status == 400)
        #expect(answer.location == nil)
        // Nor has the victim's own interaction anything to do with the attacker's token.
        let own = try await victim.authorize(["prompt": "login"])
        let token = try #require(page.form?.value("csrf"))
        #expect(try await victim.submit(own, ["user": "alice"], changing: ["csrf": token]).status == 403)
    }

    @Test func refusesATokenOfAnotherInteraction() async throws {
        let browser = Browser(idp)
        let first = try await browser.authorize()
        let second = try await browser.authorize()
        let token = try #require(first.form?.value("csrf"))
        #expect(token != second.form?.value("csrf"))
        #expect(try await browser.submit(second, ["user": "alice"], changing: ["csrf": token]).status == 403)
    }

    @Test(arguments: ["/login", "/consent", "/select-account", "/continue"])
    func showsNoInteractionToAnotherBrowser(path: String) async throws {
        let browser = Browser(idp)
        let page = try await browser.authorize()
        let id = try #require(page.form?.value("interaction"))
        let other = Browser(idp)
        #expect(try await other.open("\(path)?interaction=\(id)").status == 400)
        _ = try await other.signIn(as: "bob")
        #expect(try await other.open("\(path)?interaction=\(id)").status == 400)
        #expect(try await browser.open("\(path)?interaction=nothing").status == 400)
        #expect(try await browser.open(path).status == 400)
    }

    @Test func tellsWhoKeepsNoCookies() async throws {
        let browser = Browser(idp)
        let page = try await browser.authorize()
        browser.restart()
        let answer = try await browser.submit(page, ["user": "alice"])
        #expect(answer.status == 400)
        #expect(answer.text.contains("keeps no cookies"))
    }

    @Test(arguments: [(599_999, true), (600_000, false)])
    func endsAfterItsTime(after milliseconds: Int, isAlive: Bool) async throws {
        let browser = Browser(idp)
        let page = try await browser.authorize()
        idp.clock.advance(by: .milliseconds(milliseconds))
        let answer = try await browser.submit(page, ["user": "alice"])
        #expect((answer.parameters["code"] != nil) == isAlive)
        #expect(isAlive || answer.status == 400)
    }

    /// Whoever knows the interaction and the browser's secret, because he put it there, still has no login.
    @Test func aPlantedCookieOpensNothing() async throws {
        let attacker = Browser(idp)
        let page = try await attacker.authorize()
        let victim = Browser(idp)
        victim.copyCookies(of: attacker)
        #expect(try await victim.submit(page, ["user": "alice"]).parameters["code"] != nil)
        // The victim has logged in, in the attacker's interaction. The attacker goes on with it.
        let id = try #require(page.form?.value("interaction"))
        for path in ["/continue", "/consent", "/select-account"] {
            let answer = try await attacker.open("\(path)?interaction=\(id)")
            #expect(answer.name == "/login")
            #expect(answer.parameters["code"] == nil)
        }
        #expect(try await attacker.authorize().name == "/login")
    }

    // MARK: The same again

    @Test func aSecondPressOfTheButtonIsNoError() async throws {
        let browser = Browser(idp)
        let page = try await browser.authorize()
        let first = try await browser.submit(page, ["user": "alice"])
        let second = try await browser.submit(page, ["user": "alice"])
        let codes = [first, second].compactMap { $0.parameters["code"] }
        #expect(Set(codes).count == 2)
        for code in codes { #expect(await idp.redeem(code).status == 200) }
        // The same login, known to clients by the same name.
        let logins = try await idp.context.store.logins(where: { _ in true }, limit: 9)
        #expect(logins.count == 1)
    }

    /// What has its answer is soon forgotten, so that the memory is for those who still think.
    @Test(arguments: [(29_999, true), (30_000, false)])
    func ends(after milliseconds: Int, theAnswer isAlive: Bool) async throws {
        let browser = Browser(idp)
        let page = try await browser.authorize()
        #expect(try await browser.submit(page, ["user": "alice"]).parameters["code"] != nil)
        idp.clock.advance(by: .milliseconds(milliseconds))
        #expect((try await browser.submit(page, ["user": "alice"]).parameters["code"] != nil) == isAlive)
    }

    @Test func aStepBackLetsTheUserThinkAgain() async throws {
        let browser = Browser(idp)
        _ = try await browser.signIn()
        let page = try await browser.authorize(["prompt": "consent"])
        #expect(try await browser.submit(page, ["decision": "deny"]).parameters["error"] == "access_denied")
        let id = try #require(page.form?.value("interaction"))
        let again = try await browser.open("/consent?interaction=\(id)")
        #expect(try await browser.submit(again, ["decision": "allow"]).parameters["code"] != nil)
    }

    @Test func manyPressesAtOnceAreNoError() async throws {
        let browser = Browser(idp)
        let page = try await browser.authorize()
        let form = try #require(page.form)
        let fields: HTTPFields = [
            .contentType: "application/x-www-form-urlencoded",
            .cookie: browser.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; "),
        ]
        let body = Array(
            FormParameters(form.fields.filter(\.isHidden).map { ($0.name, $0.value) } + [("user", "alice")]).encoded
                .utf8)
        let idp = idp
        let statuses = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<16 {
                group.addTask { await idp.respond(.post, "/login", fields, body: body).status }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == [Int](repeating: 303, count: 16))
    }

    @Test func takesNoFormOfAnotherType() async throws {
        for path in ["/login", "/consent", "/select-account", "/authorize"] {
            let answer = await idp.respond(
                .post, path, [.contentType: "application/json"], body: Array("{}".utf8))
            #expect(answer.status == 400)
        }
    }
}
