import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// The form that asks the user: only he can send it, from the page that he was shown, for the accounts that stood there.
@Suite struct LogoutConfirmationTests {
    let setup: LogoutSetup

    init() async throws { setup = try await LogoutSetup() }

    @Test(arguments: [nil, "", "wrong", "AAAA"] as [String?])
    func refusesAFormWithoutOurCode(code: String?) async throws {
        _ = try await setup.signIn()
        let page = try await setup.logOut()
        try await setup.expectRefusal(
            setup.browser.submit(page, ["decision": "logout"], changing: ["csrf": code]), status: 403)
    }

    @Test func refusesTheFormOfAnotherBrowser() async throws {
        _ = try await setup.signIn()
        let stranger = Browser(setup.idp)
        _ = try await setup.signIn("rp", as: "bob", with: stranger)
        let foreign = try #require(try await setup.logOut(with: stranger).form?.value("csrf"))
        let page = try await setup.logOut()
        try await setup.expectRefusal(
            setup.browser.submit(page, ["decision": "logout"], changing: ["csrf": foreign]), status: 403)
    }

    @Test(
        arguments: [
            ["Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"], ["Origin": "https://evil.example"],
            ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"], ["Sec-Fetch-Site": "same-site"],
        ])
    func refusesAFormThatAnotherSiteSent(fields: [String: String]) async throws {
        _ = try await setup.signIn()
        let page = try await setup.logOut()
        try await setup.expectRefusal(
            setup.browser.submit(page, ["decision": "logout"], fields: fields), status: 403)
    }

    /// It comes without cookies, so that there is no code that would be right.
    @Test func refusesAnAnswerThatAnotherSitePosts() async throws {
        _ = try await setup.signIn()
        let form = try #require(try await setup.logOut().form)
        let page = try await setup.browser.post(
            "/logout", form.fields.map { ($0.name, $0.value) } + [("decision", "logout")])
        try await setup.expectRefusal(page, status: 403)
    }

    /// An address alone ends nothing.
    @Test func takesNoAnswerFromAnAddress() async throws {
        _ = try await setup.signIn()
        let form = try #require(try await setup.logOut().form)
        let fields = form.fields.map { ($0.name, $0.value) } + [("decision", "logout")]
        let page = try await setup.browser.open("/logout?" + FormParameters(fields).encoded)
        #expect(page.asksWhetherToSignOut)
        #expect(try await setup.isSignedIn())
    }

    @Test func mustNotBeFramed() async throws {
        _ = try await setup.signIn()
        let page = try await setup.logOut()
        #expect(page.answer.field("Content-Security-Policy")?.contains("frame-ancestors 'none'") == true)
        #expect(page.answer.field("X-Frame-Options") == "DENY")
        #expect(page.answer.field("Cache-Control") == "no-store")
    }

    @Test func endsNobodyWhoCameAfterThePageWasShown() async throws {
        _ = try await setup.signIn("rp", as: "alice")
        let page = try await setup.logOut()
        let bob = try await setup.signIn("rp", as: "bob", ["prompt": "login"])
        let done = try await setup.browser.submit(page, ["decision": "logout"])
        #expect(done.saysSignedOut)
        #expect(try await setup.isSignedIn())
        #expect(try await setup.idp.isActive(bob.access))
    }

    @Test func endsNobodyElsesLoginThatTheFormNames() async throws {
        _ = try await setup.signIn("rp", as: "alice")
        let stranger = Browser(setup.idp)
        let bob = try await setup.signIn("rp", as: "bob", with: stranger)
        let sid = try #require(Forged.claims(of: bob.id)["sid"]?.string)
        let page = try await setup.logOut()
        _ = try await setup.browser.submit(page, ["decision": "logout"], changing: ["account": sid])
        #expect(try await setup.isSignedIn(stranger))
        #expect(try await setup.idp.isActive(bob.access))
        #expect(try await setup.isSignedIn(), "and nobody that it does not name")
    }

    @Test func isHarmlessASecondTime() async throws {
        _ = try await setup.signIn()
        let page = try await setup.logOut()
        #expect(try await setup.browser.submit(page, ["decision": "logout"]).saysSignedOut)
        #expect(try await setup.browser.submit(page, ["decision": "logout"]).saysSignedOut)
        #expect(setup.outbound.sent.count == 1, "the client is told once")
    }

    // MARK: Several accounts

    @Test func aHintEndsItsOwnAccountAlone() async throws {
        let alice = try await setup.signIn("rp", as: "alice")
        let bob = try await setup.signIn("rp", as: "bob", ["prompt": "login"])
        #expect(try await setup.logOut(["id_token_hint": alice.id]).saysSignedOut)
        #expect(try await !setup.idp.isActive(alice.access))
        #expect(try await setup.idp.isActive(bob.access))
        #expect(try await setup.isSignedIn())
        #expect(setup.outbound.sent.count == 1)
    }

    @Test func withoutAHintAllAccountsEnd() async throws {
        let alice = try await setup.signIn("rp", as: "alice")
        let bob = try await setup.signIn("rp", as: "bob", ["prompt": "login"])
        let page = try await setup.logOut()
        #expect(!page.text.contains("Signed in as"), "of several, none is the one who signs out")
        #expect(page.text.contains("These accounts will be signed out"))
        for shown in ["Alice Adams", "alice@example.com", "Bob Brown", "bob@example.com"] {
            #expect(page.text.contains(shown), "\(shown)")
        }
        #expect(try await setup.browser.submit(page, ["decision": "logout"]).saysSignedOut)
        #expect(try await !setup.idp.isActive(alice.access))
        #expect(try await !setup.idp.isActive(bob.access))
        #expect(try await !setup.isSignedIn())
    }

    @Test func aLogoutHintMeansOneOfThem() async throws {
        for byName in [true, false] {
            let setup = try await LogoutSetup()
            let alice = try await setup.signIn("rp", as: "alice")
            let bob = try await setup.signIn("rp", as: "bob", ["prompt": "login"])
            let sid = try #require(Forged.claims(of: alice.id)["sid"]?.string)
            let page = try await setup.logOut(["logout_hint": byName ? "alice" : sid])
            #expect(page.asksWhetherToSignOut)
            #expect(page.text.contains("alice@example.com"))
            #expect(!page.text.contains("bob@example.com"), "he stays")
            _ = try await setup.browser.submit(page, ["decision": "logout"])
            #expect(try await !setup.idp.isActive(alice.access))
            #expect(try await setup.idp.isActive(bob.access))
        }
    }

    /// It proves nothing: with it, the user is asked as without.
    @Test func aLogoutHintEndsNothingByItself() async throws {
        let tokens = try await setup.signIn()
        let sid = try #require(Forged.claims(of: tokens.id)["sid"]?.string)
        for hint in ["alice", sid, "nobody"] {
            #expect(try await setup.logOut(["client_id": "rp", "logout_hint": hint]).asksWhetherToSignOut)
        }
        #expect(try await setup.isSignedIn())
    }
}
