import HTTPMessages
import IdentityProvider
import Primitives
import TestSupport
import Testing

/// The content policy where it meets a browser: what it must let through, and what it must not.
@Suite(.needsBrowser) struct PagePolicyTests {
    /// A provider whose login form redirects to `target`, with a policy that allows `allowed`.
    private func provider(redirectingTo target: String, allowing allowed: [ContentSource]) -> PageServer {
        PageServer { request in
            guard request.head.method.rawValue != "POST" else { return PageServer.redirect(to: target) }
            let page = DevicePage(.enter(DeviceCodeForm(action: PageURL(path: "/submit"), hiddenFields: [])))
            var response = page.response(PageSetting(language: .english))
            if let name = HTTPField.Name("Content-Security-Policy") {
                response.head.headerFields[name] = ContentPolicy(formTargets: allowed).text
            }
            return response
        }
    }

    private func submit(_ browser: Browser, at address: String) async throws {
        try await browser.open(address + "/")
        try await browser.find("#user_code").type("WDJB-MJHT")
        try await browser.press(.enter)
    }

    @Test func aFormMayRedirectToTheClientThatItNames() async throws {
        try await PageServer { _ in PageServer.text("client") }.run { client in
            let source = try #require(PageURL(client + "/callback").flatMap(ContentSource.init))
            try await provider(redirectingTo: client + "/callback", allowing: [source]).run { address in
                try await withBrowser { browser in
                    try await submit(browser, at: address)
                    try await browser.wait { try await browser.title == "client" }
                    #expect(try await browser.url == client + "/callback")
                }
            }
        }
    }

    /// What serves an app's pages is often on another port than what took the redirect.
    @Test func aClientOnThisMachineMaySendItsUserOnToAnotherPort() async throws {
        try await PageServer { _ in PageServer.text("app") }.run { app in
            try await PageServer { _ in PageServer.redirect(to: app + "/home") }.run { client in
                let source = try #require(PageURL(client + "/callback").flatMap(ContentSource.init))
                try await provider(redirectingTo: client + "/callback", allowing: [source]).run { address in
                    try await withBrowser { browser in
                        try await submit(browser, at: address)
                        try await browser.wait { try await browser.title == "app" }
                    }
                }
            }
        }
    }

    /// Why the targets have to be named at all.
    @Test func aFormMayNotRedirectToAnyoneElse() async throws {
        let client = PageServer { _ in PageServer.text("client") }
        try await client.run { client in
            try await provider(redirectingTo: client + "/callback", allowing: []).run { address in
                try await withBrowser { browser in
                    try await submit(browser, at: address)
                    try await browser.wait { try await browser.complaints().contains { $0.contains("form-action") } }
                }
            }
        }
        #expect(client.paths.allSatisfy { !$0.hasPrefix("/callback") })
    }

    @Test func aFormPostPageSendsItselfToTheClient() async throws {
        try await checkFormPost(BrowserOptions()) { _ in }
    }

    @Test func aFormPostPageHasAButtonWhereScriptsDoNotRun() async throws {
        try await checkFormPost(BrowserOptions(runsScripts: false)) { browser in
            #expect(try await browser.title.hasPrefix("One moment"))
            try await browser.press(.tab, .enter)
        }
    }

    private func checkFormPost(
        _ options: BrowserOptions, _ act: @Sendable (Browser) async throws -> Void
    ) async throws {
        let client = PageServer { _ in PageServer.text("client") }
        try await client.run { address in
            try await PageServer.samples([SamplePage.formPost(client: address)]).run { provider in
                try await withBrowser(options) { browser in
                    try await browser.open(provider + "/form-post")
                    try await act(browser)
                    try await browser.wait { try await browser.title == "client" }
                }
            }
        }
        #expect(client.forms == ["code=c0de&state=a%26b%3D%22c%22"])
    }

    @Test func logoutTellsEachClientInAFrameAndThenGoesBack() async throws {
        let client = PageServer { _ in PageServer.text("client") }
        try await client.run { address in
            let end = LogoutEnd(
                frames: [PageURL(address + "/out?sid=1")!], continueTo: PageURL(address + "/bye"), clientName: "App")
            let page = SamplePage(name: "logout", page: LogoutPage(.done(end)))
            try await PageServer.samples([page]).run { provider in
                try await withBrowser(BrowserOptions(runsScripts: false)) { browser in
                    try await browser.open(provider + "/logout")
                    try await browser.wait { try await browser.title == "client" }
                    #expect(try await browser.url == address + "/bye")
                    #expect(try await browser.complaints().allSatisfy { !$0.contains("Content Security Policy") })
                }
            }
        }
        #expect(client.paths.contains("/out?sid=1"))
    }

    /// Clickjacking: another site may put no page of ours in a frame.
    @Test func noOtherSiteFramesAPage() async throws {
        try await PageServer.samples().run { provider in
            let framing = PageServer { _ in
                var writer = HTMLWriter()
                writer.element("title", "framing")
                writer.element("iframe", [.src(PageURL(provider + "/login")!)]) { _ in }
                return ServerResponse(
                    status: .ok, headerFields: [.contentType: "text/html"], body: .bytes(writer.takeBytes()))
            }
            try await framing.run { address in
                try await withBrowser { browser in
                    try await browser.open(address + "/")
                    try await browser.wait {
                        try await browser.complaints().contains { $0.contains("frame-ancestors") }
                    }
                }
            }
        }
    }

    /// The policy must hold even where a text had become markup.
    @Test func noOtherScriptRuns() async throws {
        try await PageServer.samples().run { address in
            try await withBrowser { browser in
                try await browser.open(address + "/login")
                _ = try await browser.run(
                    """
                    const script = document.createElement('script');
                    script.textContent = 'document.title = "mine"';
                    document.body.append(script);
                    """)
                try await browser.wait {
                    try await browser.complaints().contains { $0.contains("script-src") || $0.contains("default-src") }
                }
                #expect(try await browser.title != "mine")
            }
        }
    }
}
