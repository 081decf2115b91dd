import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// The page where a user connects a device: RFC 8628 sections 3.3, 5.1 and 5.4.
@Suite struct DevicePageTests {
    let provider: GrantsProvider
    let browser: Browser

    init() async throws {
        provider = try await GrantsProvider()
        browser = Browser(provider.idp)
    }

    /// Enters a code and logs in; gives the page that asks for a decision.
    private func confirmation(
        of flow: DeviceFlow, as user: String = "alice", in browser: Browser? = nil
    ) async throws -> BrowserPage {
        let browser = browser ?? self.browser
        let enter = try await browser.open("/device")
        #expect(enter.status == 200)
        let page = try await browser.submit(enter, ["user_code": flow.userCode])
        guard page.name == "/login" else { return page }
        return try await browser.submit(page, ["username": user, "password": user])
    }

    @Test func aUserEntersLogsInComparesAndAgrees() async throws {
        let flow = try await DeviceFlow(provider, also: [("scope", "openid read")])
        let page = try await confirmation(of: flow)
        #expect(page.name == "/device")
        #expect(page.text.contains(flow.userCode))
        #expect(page.text.contains("app"))
        #expect(page.text.contains("Alice Adams"))
        #expect(await flow.ask() == "400 authorization_pending")
        let done = try await browser.submit(page, ["decision": "allow"])
        #expect(done.status == 200)
        #expect(done.form == nil)
        let answer = await flow.poll()
        let identity = try await provider.idTokenClaims(try answer.text("id_token"), audience: "app")
        #expect(identity.members["sub"] == "alice")
        #expect(identity.members["amr"] == ["pwd"])
    }

    @Test func aUserDenies() async throws {
        let flow = try await DeviceFlow(provider)
        _ = try await browser.submit(try await confirmation(of: flow), ["decision": "deny"])
        #expect(await flow.ask() == "400 access_denied")
    }

    /// Section 3.3.1: the link saves typing; the user logs in, compares and decides all the same.
    @Test func theLinkThatHoldsTheCodeDecidesNothing() async throws {
        let flow = try await DeviceFlow(provider)
        let login = try await browser.open("/device?user_code=\(flow.userCode)")
        #expect(login.name == "/login")
        let page = try await browser.submit(login, ["username": "alice", "password": "alice"])
        #expect(page.text.contains(flow.userCode))
        _ = try await browser.open("/device?user_code=\(flow.userCode)&decision=allow")
        #expect(await flow.ask() == "400 authorization_pending")
        _ = try await browser.submit(page, ["decision": "allow"])
        #expect(await flow.ask() == "200 -")
    }

    @Test func whoIsLoggedInIsNotAskedAgain() async throws {
        _ = try await confirmation(of: try await DeviceFlow(provider))
        let flow = try await DeviceFlow(provider)
        let page = try await browser.open("/device?user_code=\(flow.userCode)")
        #expect(page.name == "/device")
        #expect(page.text.contains(flow.userCode))
    }

    @Test func whereNobodyIsAskedTheFirstUserDecides() async throws {
        let open = try await GrantsProvider { $0.allowances = [.automaticLogin] }
        let flow = try await DeviceFlow(open)
        let browser = Browser(open.idp)
        let page = try await browser.open("/device?user_code=\(flow.userCode)")
        #expect(page.name == "/device")
        _ = try await browser.submit(page, ["decision": "allow"])
        #expect(await flow.ask() == "200 -")
    }

    /// Nothing but the form of the page, in the browser and for the user it was made for, decides.
    @Test(arguments: [["csrf": nil], ["csrf": "x"], ["csrf": ""], ["user_code": nil], ["user_code": "BCDF-GHJK"]])
    func refusesAFormThatIsNotOurs(changes: [String: String?]) async throws {
        let flow = try await DeviceFlow(provider)
        let page = try await confirmation(of: flow)
        let answer = try await browser.submit(page, ["decision": "allow"], changing: changes)
        #expect(answer.status >= 400)
        #expect(await flow.ask() == "400 authorization_pending")
    }

    @Test(arguments: [
        ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
        ["Sec-Fetch-Site": "same-site"],
    ])
    func refusesAFormThatAnotherSiteSends(fields: [String: String]) async throws {
        let flow = try await DeviceFlow(provider)
        let page = try await confirmation(of: flow)
        let answer = try await browser.submit(page, ["decision": "allow"], fields: fields)
        #expect(answer.status == 403)
        #expect(await flow.ask() == "400 authorization_pending")
    }

    @Test func refusesTheFormOfAnotherBrowserOrUser() async throws {
        let flow = try await DeviceFlow(provider)
        let page = try await confirmation(of: flow)
        let stranger = Browser(provider.idp)
        let other = try await DeviceFlow(provider)
        _ = try await confirmation(of: other, as: "alice", in: stranger)
        #expect(try await stranger.submit(page, ["decision": "allow"]).status == 403)
        // In the same browser, but meanwhile somebody else has logged in.
        let login = try await browser.open("/device?user_code=\(other.userCode)")
        #expect(login.name == "/device")
        browser.forget("pawl_login_8080")
        _ = try await confirmation(of: other, as: "bob")
        #expect(try await browser.submit(page, ["decision": "allow"]).status == 403)
        #expect(await flow.ask() == "400 authorization_pending")
    }

    @Test func refusesADecisionThatIsNone() async throws {
        let flow = try await DeviceFlow(provider)
        let page = try await confirmation(of: flow)
        #expect(try await browser.submit(page, ["decision": "perhaps"]).status == 400)
        #expect(await flow.ask() == "400 authorization_pending")
    }

    @Test func whoIsNotLoggedInAnyMoreDecidesNothing() async throws {
        let flow = try await DeviceFlow(provider)
        let page = try await confirmation(of: flow)
        browser.forget("pawl_login_8080")
        #expect(try await browser.submit(page, ["decision": "allow"]).name == "/login")
        #expect(await flow.ask() == "400 authorization_pending")
    }

    @Test func aCodeWhoseTimeIsOverIsDecidedByNobody() async throws {
        let flow = try await DeviceFlow(provider)
        let page = try await confirmation(of: flow)
        provider.clock.advance(by: .seconds(600))
        let answer = try await browser.submit(page, ["decision": "allow"])
        #expect(answer.form == nil)
        #expect(await flow.ask() == "400 expired_token")
    }

    @Test func aSecondDecisionIsNone() async throws {
        let flow = try await DeviceFlow(provider)
        let page = try await confirmation(of: flow)
        _ = try await browser.submit(page, ["decision": "deny"])
        _ = try await browser.submit(page, ["decision": "allow"])
        #expect(await flow.ask() == "400 access_denied")
    }

    /// Section 5.1: wrong codes are counted by address, right ones are not.
    @Test func stopsWhoeverTriesCodes() async throws {
        let flow = try await DeviceFlow(provider)
        for _ in 0..<3 { #expect(try await browser.open("/device?user_code=\(flow.userCode)").name == "/login") }
        for _ in 0..<10 { #expect(try await browser.open("/device?user_code=BCDF-GHJK").status == 404) }
        let stopped = try await browser.open("/device?user_code=\(flow.userCode)")
        #expect(stopped.status == 429)
        #expect(stopped.answer.field("Retry-After") == "60")
        browser.address = "192.0.2.1"
        #expect(try await browser.open("/device?user_code=\(flow.userCode)").name == "/login")
        browser.address = "127.0.0.1"
        provider.clock.advance(by: .milliseconds(59_999))
        #expect(try await browser.open("/device?user_code=\(flow.userCode)").status == 429)
        provider.clock.advance(by: .milliseconds(1))
        #expect(try await browser.open("/device?user_code=\(flow.userCode)").name == "/login")
    }

    @Test(arguments: ["x", "%3Cscript%3E", "AAAA-AAAA", "BCDF-GHJK", "%00", "%"])
    func saysThatThereIsNoSuchCode(code: String) async throws {
        let page = try await browser.open("/device?user_code=\(code)")
        #expect(page.status == 404 || page.status == 400)
        #expect(!page.text.contains("<script>"))
    }

    /// A code of a decided device is a code of none.
    @Test func aDecidedCodeIsUnknown() async throws {
        let flow = try await DeviceFlow(provider)
        try await flow.decide()
        #expect(try await browser.open("/device?user_code=\(flow.userCode)").status == 404)
    }

    @Test func everyPageIsGuarded() async throws {
        let flow = try await DeviceFlow(provider)
        for page in [try await browser.open("/device"), try await confirmation(of: flow)] {
            #expect(page.answer.field("Cache-Control") == "no-store")
            #expect(page.answer.field("X-Frame-Options") == "DENY")
            #expect(page.answer.field("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
        }
    }

    /// No application of another origin reads a page that is for people.
    @Test func noOtherOriginReadsThePage() async {
        let origin: HTTPFields = [.origin: "http://localhost:3000"]
        #expect(await provider.idp.get("/device", origin).field("Access-Control-Allow-Origin") == nil)
        let asked = await provider.idp.respond(.options, "/device", origin)
        #expect(asked.field("Access-Control-Allow-Origin") == nil)
    }

    @Test func aTenantHasAPageOfItsOwn() async throws {
        let answer = await provider.post("/t/one/device_authorization", [], as: "app")
        let link = try answer.text("verification_uri_complete")
        #expect(link.hasPrefix("\(ProviderUnderTest.issuer)/t/one/device?user_code="))
        let path = String(link.dropFirst(ProviderUnderTest.issuer.count))
        let page = try await browser.submit(
            try await browser.open(path), ["username": "alice", "password": "alice"])
        #expect(page.name == "/t/one/device")
        _ = try await browser.submit(page, ["decision": "allow"])
        let poll = await provider.post(
            "/t/one/token",
            [("grant_type", GrantsProvider.deviceGrant), ("device_code", try answer.text("device_code"))], as: "app")
        #expect(poll.status == 200)
    }
}
