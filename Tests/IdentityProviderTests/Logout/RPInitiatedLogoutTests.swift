import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// OpenID Connect RP-Initiated Logout 1.0, as its users meet it. The names in the comments are those of the OpenID
/// Foundation's conformance modules.
@Suite struct RPInitiatedLogoutTests {
    let setup: LogoutSetup

    init() async throws { setup = try await LogoutSetup() }

    /// rp-initiated-logout
    @Test func signsOutAtOnceWithAnIDTokenOfThisSession() async throws {
        let tokens = try await setup.signIn()
        #expect(try await setup.isSignedIn())
        let page = try await setup.logOut([
            "id_token_hint": tokens.id, "post_logout_redirect_uri": LogoutSetup.goodbye, "state": "a b&c",
        ])
        #expect(page.status == 303)
        #expect(page.location == LogoutSetup.goodbye + "&state=a%20b%26c")
        #expect(page.answer.field("Cache-Control") == "no-store")
        #expect(try await !setup.isSignedIn())
        #expect(!setup.browser.cookies.contains { $0.name.contains("login") })
    }

    /// no-state
    @Test func redirectsWithoutAStateThatWasNotSent() async throws {
        let tokens = try await setup.signIn()
        let page = try await setup.logOut([
            "id_token_hint": tokens.id, "post_logout_redirect_uri": LogoutSetup.goodbye,
        ])
        #expect(page.location == LogoutSetup.goodbye)
        #expect(try await !setup.isSignedIn())
    }

    /// no-post-logout-redirect-uri
    @Test func endsOnAPageWithoutARedirect() async throws {
        let tokens = try await setup.signIn()
        let page = try await setup.logOut(["id_token_hint": tokens.id, "state": "xyz"])
        #expect(page.saysSignedOut, "\(page.text)")
        #expect(!page.text.contains("xyz"))
        #expect(try await !setup.isSignedIn())
    }

    /// no-params, only-state
    @Test(arguments: [[:], ["state": "xyz"], ["unknown": "1"]])
    func asksWithoutAHint(parameters: [String: String]) async throws {
        _ = try await setup.signIn()
        let page = try await setup.logOut(parameters)
        #expect(page.asksWhetherToSignOut, "\(page.text)")
        #expect(page.text.contains("alice@"))
        #expect(try await setup.isSignedIn())
        #expect(setup.outbound.sent.isEmpty)
        let done = try await setup.browser.submit(page, ["decision": "logout"])
        #expect(done.saysSignedOut, "\(done.text)")
        #expect(try await !setup.isSignedIn())
        #expect(setup.outbound.sent.count == 1)
    }

    /// no-id-token-hint
    @Test func refusesARedirectOfNobody() async throws {
        _ = try await setup.signIn()
        try await setup.expectRefusal(
            setup.logOut(["post_logout_redirect_uri": LogoutSetup.goodbye, "state": "xyz"]))
    }

    @Test func asksAndThenRedirectsWhenTheClientIsNamedAlone() async throws {
        _ = try await setup.signIn()
        let page = try await setup.logOut([
            "client_id": "rp", "post_logout_redirect_uri": LogoutSetup.goodbye, "state": "xyz",
        ])
        #expect(page.asksWhetherToSignOut, "\(page.text)")
        #expect(page.text.contains("<bdi>Reading room</bdi></strong> asks to sign you out."))
        // The browser must let the form lead there, and to wherever the client sends its users on.
        #expect(
            page.answer.field("Content-Security-Policy")?
                .contains("form-action 'self' https: http: https://rp.example;") == true)
        let done = try await setup.browser.submit(page, ["decision": "logout"])
        #expect(done.status == 303)
        #expect(done.location == LogoutSetup.goodbye + "&state=xyz")
        #expect(try await !setup.isSignedIn())
    }

    @Test func leavesWhoeverWantsToStay() async throws {
        _ = try await setup.signIn()
        let page = try await setup.logOut(["client_id": "rp", "post_logout_redirect_uri": LogoutSetup.goodbye])
        let stayed = try await setup.browser.submit(page, ["decision": "stay"])
        #expect(stayed.status == 200)
        #expect(stayed.content(of: "h1") == "You are still signed in")
        #expect(stayed.location == nil)
        #expect(try await setup.isSignedIn())
        #expect(setup.outbound.sent.isEmpty)
    }

    @Test func hasNothingToAskWhereNobodyIsSignedIn() async throws {
        #expect(try await setup.logOut().saysSignedOut)
        let page = try await setup.logOut(["client_id": "rp", "post_logout_redirect_uri": LogoutSetup.goodbye])
        #expect(page.location == LogoutSetup.goodbye)
    }

    @Test func takesALoopbackRedirectWithAnyPort() async throws {
        let tokens = try await setup.signIn()
        let page = try await setup.logOut([
            "id_token_hint": tokens.id, "post_logout_redirect_uri": "http://127.0.0.1:49152/bye",
        ])
        #expect(page.location == "http://127.0.0.1:49152/bye")
    }

    /// bad-post-logout-redirect-uri, query-added-to-post-logout-redirect-uri
    @Test(
        arguments: [
            // Another client's.
            "https://other.example/bye",
            "https://evil.example/",
            LogoutSetup.goodbye + "&added=1",
            "https://rp.example/bye",
            "https://rp.example/bye?from=idp&",
            "https://rp.example:8443/bye?from=idp",
            "https://RP.example/bye?from=idp",
            "https://rp.example/bye/../bye?from=idp",
            "https://rp.example@evil.example/bye?from=idp",
            "http://rp.example/bye?from=idp",
            "http://localhost/bye",
            "http://127.0.0.1/byebye",
            "https://rp.example/bye?from=idp#fragment",
            "javascript:alert(1)",
            "//evil.example",
            "/bye",
            // Where the client gets its codes is another list.
            AuthorizationQuery.redirectURI,
        ])
    func refusesARedirectThatTheClientHasNotRegistered(redirect: String) async throws {
        let tokens = try await setup.signIn()
        let hinted = try await setup.logOut(["id_token_hint": tokens.id, "post_logout_redirect_uri": redirect])
        try await setup.expectRefusal(hinted)
        #expect(!hinted.text.contains("evil"))
        try await setup.expectRefusal(setup.logOut(["client_id": "rp", "post_logout_redirect_uri": redirect]))
    }

    @Test func refusesARedirectThatWasChangedInTheForm() async throws {
        _ = try await setup.signIn()
        let page = try await setup.logOut(["client_id": "rp", "post_logout_redirect_uri": LogoutSetup.goodbye])
        try await setup.expectRefusal(
            setup.browser.submit(
                page, ["decision": "logout"], changing: ["post_logout_redirect_uri": "https://evil.example/"]))
    }

    @Test(arguments: LogoutRequestNames.all)
    func refusesAParameterThatIsThereTwice(name: String) async throws {
        _ = try await setup.signIn()
        try await setup.expectRefusal(setup.browser.open("/logout?\(name)=a&\(name)=a"))
    }

    @Test func refusesAStateThatFitsIntoNoAddress() async throws {
        let tokens = try await setup.signIn()
        let state = String(repeating: "s", count: 4097)
        try await setup.expectRefusal(setup.logOut(["id_token_hint": tokens.id, "state": state]))
        #expect(
            try await setup.logOut(["id_token_hint": tokens.id, "state": String(state.dropLast())]).saysSignedOut)
    }

    @Test func speaksTheLanguageThatIsAskedFor() async throws {
        _ = try await setup.signIn()
        let page = try await setup.logOut(["ui_locales": "fr ko"])
        #expect(page.answer.field("Content-Language") == "ko")
        let done = try await setup.browser.submit(page, ["decision": "logout"])
        #expect(done.answer.field("Content-Language") == "ko")
        let refused = try await setup.logOut(["ui_locales": "ja", "id_token_hint": "bad"])
        #expect(refused.answer.field("Content-Language") == "ja")
    }

    /// RFC 9110 section 9.2.1.
    @Test func endsNothingForWhoeverOnlyLooks() async throws {
        let tokens = try await setup.signIn()
        let cookies = setup.browser.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        let answer = await setup.idp.respond(
            .head, LogoutSetup.path(["id_token_hint": tokens.id]), [.cookie: cookies])
        #expect(answer.status == 200)
        #expect(try await setup.isSignedIn())
    }

    /// What another site posts comes without our cookies.
    @Test func takesTheRequestOfAClientThatPostsIt() async throws {
        let tokens = try await setup.signIn()
        let detour = try await setup.browser.post(
            "/logout",
            [
                ("id_token_hint", tokens.id), ("post_logout_redirect_uri", LogoutSetup.goodbye), ("state", "xyz"),
            ])
        #expect(detour.status == 200)
        #expect(try await setup.isSignedIn())
        let page = try await setup.browser.submit(detour)
        #expect(page.location == LogoutSetup.goodbye + "&state=xyz")
        #expect(try await !setup.isSignedIn())
        // The hint was in no address.
        #expect(!setup.browser.visited.contains { $0.contains("id_token_hint") })
    }

    @Test func asksWhenAClientPostsNoHint() async throws {
        _ = try await setup.signIn()
        let page = try await setup.browser.submit(try await setup.browser.post("/logout", [("client_id", "rp")]))
        #expect(page.asksWhetherToSignOut, "\(page.text)")
        #expect(try await setup.browser.submit(page, ["decision": "logout"]).saysSignedOut)
        #expect(try await !setup.isSignedIn())
    }

    /// A client whose page is on the same site: the cookies come with what it posts.
    @Test func takesTheRequestOfAClientNextDoor() async throws {
        let tokens = try await setup.signIn()
        let cookies = setup.browser.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        let answer = await setup.idp.respond(
            .post, "/logout",
            [
                .cookie: cookies, .contentType: "application/x-www-form-urlencoded",
                .origin: "http://localhost:3000",
            ], body: Array("id_token_hint=\(tokens.id)".utf8))
        #expect(answer.status == 200)
        #expect(try await !setup.isSignedIn())
    }

    /// A login whose time is over shows nobody any more, but what it gave lives on until somebody signs out.
    @Test func endsALoginWhoseTimeIsOver() async throws {
        let setup = try await LogoutSetup(configure: { $0.lifetimes.login = .seconds(60) })
        let tokens = try await setup.signIn()
        setup.idp.clock.advance(by: .seconds(61))
        #expect(try await !setup.isSignedIn())
        #expect(try await setup.idp.isActive(tokens.access))
        #expect(try await setup.logOut(["id_token_hint": tokens.id]).saysSignedOut)
        #expect(try await !setup.idp.isActive(tokens.access))
        #expect(await setup.idp.refresh(tokens.refresh, client: "rp").error == "invalid_grant")
    }

    /// discovery-endpoint-verification
    @Test func isAdvertised() async throws {
        let metadata = await setup.idp.get("/.well-known/openid-configuration").json
        #expect(metadata?["end_session_endpoint"]?.string == ProviderUnderTest.issuer + "/logout")
        for name in [
            "backchannel_logout_supported", "backchannel_logout_session_supported", "frontchannel_logout_supported",
            "frontchannel_logout_session_supported",
        ] {
            #expect(metadata?[name] == .bool(true), "\(name)")
        }
        #expect(metadata?["check_session_iframe"] == nil)
    }

    @Test func doesNotAdvertiseWhatItMayNotSend() async throws {
        let metadata = await (try await ProviderUnderTest()).get("/.well-known/openid-configuration").json
        #expect(metadata?["backchannel_logout_supported"] == .bool(false))
        #expect(metadata?["backchannel_logout_session_supported"] == .bool(false))
        #expect(metadata?["frontchannel_logout_supported"] == .bool(true))
    }
}

/// What a logout request may hold.
enum LogoutRequestNames {
    static let all = [
        "id_token_hint", "logout_hint", "client_id", "post_logout_redirect_uri", "state", "ui_locales",
    ]
}
