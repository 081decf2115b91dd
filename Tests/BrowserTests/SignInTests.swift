import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Observability
import Primitives
import TestSupport
import Testing

/// A whole sign-in in a real browser: what its rules about cookies, forms and redirects make of it.
///
/// The provider is at `localhost` and the client at `127.0.0.1`: to a browser, two sites.
@Suite(.needsBrowser) struct SignInTests {
    private func withProvider(
        _ change: @escaping @Sendable (inout ClientMetadata) -> Void = { _ in },
        _ body: @Sendable (_ provider: String, _ client: Client) async throws -> Void
    ) async throws {
        var metadata = ClientMetadata()
        metadata.name = "Browser test"
        metadata.redirectURIs = [try RedirectURI("http://127.0.0.1/callback")]
        metadata.grants = ["authorization_code", "refresh_token"]
        metadata.responseTypes = [.code]
        metadata.postLogoutRedirectURIs = [try RedirectURI("http://127.0.0.1/bye")]
        metadata.requiresPKCE = false
        change(&metadata)
        let client = try Client(id: "app", secret: Secret(utf8: "secret"), metadata: metadata)
        let provider = try await IdentityProvider(
            configuration: ProviderConfiguration(
                clients: [client], users: StandardUsers.all(), accessTokens: AccessTokenPolicy(algorithm: .es256)),
            environment: ProviderEnvironment(
                clock: ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000)), random: SystemRandom(),
                keySupply: ImmediateKeySupply(policy: KeyRingPolicy(longestTokenLifetime: .seconds(300)))))
        try await PageServer.run(provider) { address in
            try await body(address.replacing("127.0.0.1", with: "localhost"), client)
        }
    }

    private func query(_ client: String, _ extra: [(name: String, value: String)]) -> [(name: String, value: String)] {
        [
            ("client_id", "app"), ("redirect_uri", client + "/callback"), ("response_type", "code"),
            ("scope", "openid email"), ("state", "xyz"),
        ] + extra
    }

    private func authorize(_ provider: String, _ client: String, _ extra: [(name: String, value: String)] = [])
        -> String
    {
        provider + "/authorize?" + FormParameters(query(client, extra)).encoded
    }

    /// A client: `/callback` is where answers arrive, and everything else a page with a form that posts a request.
    private func client(of provider: String) -> PageServer {
        PageServer { request in
            let path = request.head.path ?? ""
            guard !path.hasPrefix("/callback") else { return PageServer.text("client") }
            let home = "http://" + (request.head.authority ?? "")
            let fields = query(home, []).map { "<input type=hidden name='\($0.name)' value='\($0.value)'>" }
            let html = """
                <!DOCTYPE html><title>home</title><link rel=icon href="data:,">
                <form method=post action="\(provider)/authorize">\(fields.joined())<button>Sign in</button></form>
                """
            return ServerResponse(
                status: .ok, headerFields: [.contentType: "text/html"], body: .bytes(Array(html.utf8)))
        }
    }

    private func codes(_ client: PageServer) -> Set<String> {
        Set(
            client.paths.compactMap { path -> String? in
                guard let query = path.split(separator: "?").dropFirst().first else { return nil }
                return (try? FormParameters(parsing: Array(query.utf8).span))?["code"]
            })
    }

    @Test func aUserSignsInWithAKeyboardAndWithoutScripts() async throws {
        try await withProvider { provider, _ in
            let client = client(of: provider)
            try await client.run { home in
                try await withBrowser(BrowserOptions(runsScripts: false)) { browser in
                    try await browser.open(authorize(provider, home))
                    try await browser.find("#username").type("alice")
                    try await browser.find("#password").type("alice")
                    try await browser.press(.enter)
                    try await browser.wait { try await browser.title == "client" }
                    // Known from now on, and nobody asks.
                    try await browser.open(authorize(provider, home))
                    try await browser.wait { try await browser.title == "client" }
                    #expect(try await browser.complaints() == [])
                }
            }
            #expect(codes(client).count == 2)
        }
    }

    @Test func aUserAgreesAndComesBackAndThinksAgain() async throws {
        try await withProvider({ $0.consent = .always }) { provider, _ in
            let client = client(of: provider)
            try await client.run { home in
                try await withBrowser { browser in
                    try await browser.open(authorize(provider, home))
                    try await browser.find("button[name=user][value=alice]").click()
                    try await browser.wait { try await browser.url.contains("/consent?") }
                    try await browser.find("button[value=allow]").click()
                    try await browser.wait { try await browser.title == "client" }
                    try await browser.back()
                    try await browser.wait { try await browser.url.contains("/consent?") }
                    try await browser.find("button[value=deny]").click()
                    try await browser.wait { try await browser.url.contains("error=access_denied") }
                }
            }
            #expect(codes(client).count == 1)
        }
    }

    /// With `SameSite=Lax`, what another site posts comes without the login.
    @Test func aRequestThatTheClientPostsFindsTheUserLoggedIn() async throws {
        try await withProvider { provider, _ in
            let client = client(of: provider)
            try await client.run { home in
                try await withBrowser { browser in
                    try await browser.open(authorize(provider, home))
                    try await browser.find("button[name=user][value=bob]").click()
                    try await browser.wait { try await browser.title == "client" }
                    try await browser.open(home + "/")
                    try await browser.find("button").click()
                    try await browser.wait { try await browser.title == "client" }
                }
            }
            #expect(codes(client).count == 2)
        }
    }

    @Test func anAnswerIsPosted() async throws {
        try await withProvider { provider, _ in
            let client = client(of: provider)
            try await client.run { home in
                try await withBrowser { browser in
                    try await browser.open(authorize(provider, home, [("response_mode", "form_post")]))
                    try await browser.find("button[name=user][value=minji]").click()
                    try await browser.wait { try await browser.title == "client" }
                    #expect(try await browser.complaints() == [])
                }
            }
            #expect(client.forms.count == 1)
            #expect(client.forms.first?.contains("code=ac1.") == true)
        }
    }

    /// A callback is often with the service behind an app, and the app at another origin. Chromium holds our policy against
    /// every redirect that follows a form of ours.
    @Test func aClientThatTakesAPostedAnswerMaySendItsUserOnToAnotherSite() async throws {
        try await withProvider { provider, _ in
            try await PageServer { _ in PageServer.text("app") }.run { app in
                let app = app.replacing("127.0.0.1", with: "localhost")
                let client = PageServer { _ in PageServer.redirect(to: app + "/home") }
                try await client.run { home in
                    try await withBrowser { browser in
                        try await browser.open(authorize(provider, home, [("response_mode", "form_post")]))
                        try await browser.find("button[name=user][value=alice]").click()
                        try await browser.wait { try await browser.title == "app" }
                        // And where nobody is asked before.
                        try await browser.open(authorize(provider, home, [("response_mode", "form_post")]))
                        try await browser.wait { try await browser.title == "app" }
                        #expect(try await browser.complaints() == [])
                    }
                }
                #expect(client.forms.count == 2)
            }
        }
    }

    @Test func aClientMaySendWhoeverHasSignedOutOnToAnotherSite() async throws {
        try await withProvider { provider, _ in
            try await PageServer { _ in PageServer.text("app") }.run { app in
                let app = app.replacing("127.0.0.1", with: "localhost")
                let client = PageServer { request in
                    let isBye = request.head.path?.hasPrefix("/bye") ?? false
                    return isBye ? PageServer.redirect(to: app + "/home") : PageServer.text("client")
                }
                try await client.run { home in
                    try await withBrowser { browser in
                        try await browser.open(authorize(provider, home))
                        try await browser.find("button[name=user][value=alice]").click()
                        try await browser.wait { try await browser.title == "client" }
                        let query = FormParameters([
                            ("client_id", "app"), ("post_logout_redirect_uri", home + "/bye"),
                        ])
                        try await browser.open(provider + "/logout?" + query.encoded)
                        try await browser.find("button[value=logout]").click()
                        try await browser.wait { try await browser.title == "app" }
                        #expect(try await browser.complaints() == [])
                    }
                }
            }
        }
    }

    @Test func aPageOfAnotherSiteCannotReadTheLogin() async throws {
        try await withProvider { provider, _ in
            let client = client(of: provider)
            try await client.run { home in
                try await withBrowser { browser in
                    try await browser.open(home + "/")
                    let read = try await browser.run(
                        "return fetch(arguments[0]).then(() => 'read', () => 'refused')",
                        [.string(authorize(provider, home))])
                    #expect(read == "refused")
                }
            }
            #expect(codes(client).isEmpty)
        }
    }
}
