import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// An `id_token_hint` of a session that lives, in a browser that shows nobody: what the page says is true, and the session ends
/// when the form of the page is sent, not before.
@Suite struct HintedSessionTests {
    let setup: LogoutSetup
    let stranger: Browser

    init() async throws {
        setup = try await LogoutSetup()
        stranger = Browser(setup.idp)
    }

    private func expectNothingEnded(_ tokens: LogoutSetup.Tokens) async throws {
        #expect(try await setup.isSignedIn())
        #expect(try await setup.idp.isActive(tokens.access))
        #expect(setup.outbound.sent.isEmpty)
    }

    /// A hint says what somebody knows: by itself it ends nothing.
    @Test func asksBeforeItEndsASessionThatTheBrowserDoesNotShow() async throws {
        let tokens = try await setup.signIn()
        let hint = ["id_token_hint": tokens.id, "post_logout_redirect_uri": LogoutSetup.goodbye]
        let page = try await setup.logOut(hint, with: stranger)
        #expect(page.asksWhetherToSignOut, "\(page.text)")
        #expect(page.text.contains("Nobody is signed in in this browser"))
        #expect(page.text.contains(">alice<"), "\(page.text)")
        for untold in ["Alice Adams", "alice@example.com", "Signed in as"] {
            #expect(!page.text.contains(untold), "the ID token does not say it: \(untold)")
        }
        #expect(try await stranger.submit(page, ["decision": "stay"]).status == 200)
        try await expectNothingEnded(tokens)

        let done = try await stranger.submit(page, ["decision": "logout"])
        #expect(done.location == LogoutSetup.goodbye)
        #expect(try await !setup.isSignedIn())
        #expect(try await !setup.idp.isActive(tokens.access))
        #expect(setup.outbound.sent.map(\.url) == [LogoutSetup.backChannel])
        #expect(try await setup.logOut(["id_token_hint": tokens.id], with: stranger).saysSignedOut, "and so it is")
    }

    @Test func endsASessionThatTheControlAPIMade() async throws {
        let made = try await ControlUnderTest(setup.idp).json(
            "POST", "/sessions", ["user": "alice", "client": "rp", "scope": "openid"])
        let (id, access) = (try #require(made["id_token"]?.string), try #require(made["access_token"]?.string))
        let page = try await setup.logOut(["id_token_hint": id])
        #expect(page.asksWhetherToSignOut)
        #expect(try await setup.idp.isActive(access))
        #expect(try await setup.browser.submit(page, ["decision": "logout"]).saysSignedOut)
        #expect(try await !setup.idp.isActive(access))
        #expect(setup.outbound.sent.count == 1)
    }

    @Test(arguments: ["csrf", "account", "id_token_hint"])
    func endsNothingByHalfAForm(_ missing: String) async throws {
        let tokens = try await setup.signIn()
        let page = try await setup.logOut(["id_token_hint": tokens.id], with: stranger)
        _ = try await stranger.submit(page, ["decision": "logout"], changing: [missing: nil])
        try await expectNothingEnded(tokens)
    }

    /// No other site sends the form through somebody's browser.
    @Test func endsNothingByAFormThatAnotherSitePosts() async throws {
        let tokens = try await setup.signIn()
        let form = try #require(try await setup.logOut(["id_token_hint": tokens.id], with: stranger).form)
        let victim = Browser(setup.idp)
        let page = try await victim.post("/logout", form.fields.map { ($0.name, $0.value) } + [("decision", "logout")])
        #expect(page.status == 403)
        try await expectNothingEnded(tokens)
    }

    /// The hint proves the session that it is of, and no other.
    @Test func endsNoOtherSessionThatTheFormNames() async throws {
        let tokens = try await setup.signIn()
        let elsewhere = Browser(setup.idp)
        let bob = try await setup.signIn("rp", as: "bob", with: elsewhere)
        let sid = try #require(Forged.claims(of: bob.id)["sid"]?.string)
        let page = try await setup.logOut(["id_token_hint": tokens.id], with: stranger)
        _ = try await stranger.submit(page, ["decision": "logout"], changing: ["account": sid])
        #expect(try await setup.isSignedIn(elsewhere))
        try await expectNothingEnded(tokens)
    }

    @Test func hasNothingToAskWhenTheSessionHasEnded() async throws {
        let tokens = try await setup.signIn()
        _ = try await setup.logOut(["id_token_hint": tokens.id])
        #expect(try await setup.logOut(["id_token_hint": tokens.id], with: stranger).saysSignedOut)
    }

    /// Where else somebody was signed in is not told to whoever has one client's token.
    @Test func showsNoFramesOfASessionElsewhere() async throws {
        let setup = try await LogoutSetup([
            .underTest("framed") { $0.frontChannelLogoutURI = "https://framed.example/out" }
        ])
        _ = try await setup.signIn("framed")
        let tokens = try await setup.signIn("rp")
        let stranger = Browser(setup.idp)
        let page = try await setup.logOut(["id_token_hint": tokens.id], with: stranger)
        let done = try await stranger.submit(page, ["decision": "logout"])
        #expect(done.saysSignedOut)
        #expect(!done.text.contains("framed.example"))
        #expect(try await !setup.isSignedIn())
    }

    @Test func namesAPairwiseUserAsTheClientKnowsHim() async throws {
        let setup = try await LogoutSetup([.underTest("pairwise") { $0.subjectType = .pairwise }])
        let tokens = try await setup.signIn("pairwise")
        let subject = try #require(Forged.claims(of: tokens.id)["sub"]?.string)
        let page = try await setup.logOut(["id_token_hint": tokens.id], with: Browser(setup.idp))
        #expect(page.asksWhetherToSignOut)
        #expect(page.text.contains(subject))
        #expect(!page.text.contains("alice"))
    }

    @Test(arguments: [("ko", "이 브라우저에는"), ("ja", "このブラウザーでは")])
    func saysSoInTheLanguageOfTheBrowser(_ language: String, _ text: String) async throws {
        let tokens = try await setup.signIn()
        let page = try await setup.logOut(["id_token_hint": tokens.id, "ui_locales": language], with: stranger)
        #expect(page.text.contains(text))
    }
}
