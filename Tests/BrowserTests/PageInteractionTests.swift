import HTTPMessages
import IdentityProvider
import Primitives
import TestSupport
import Testing

/// The pages as they are used: with the keyboard alone, without scripts, and under the content policy.
@Suite(.needsBrowser) struct PageInteractionTests {
    private static let scriptless = BrowserOptions(runsScripts: false)

    @Test func tabReachesEveryControlInTheOrderOfThePage() async throws {
        let samples = SamplePage.all()
        try await PageServer.samples(samples).run { address in
            try await withBrowser(Self.scriptless) { browser in
                let audit = PageAudit(browser: browser)
                for sample in samples {
                    try await browser.open(address + "/" + sample.name)
                    let controls = try await audit.controls().map(\.identifier)
                    let order = try await audit.keyboardOrder(atMost: controls.count + 8)
                    // What scrolls is reached too, so that it can be scrolled; it is no control.
                    let reached = order.map(\.identifier).filter(controls.contains)
                    #expect(reached == controls, "\(sample)")
                }
            }
        }
    }

    /// Enter in a field signs in with the password, though buttons with users stand before it.
    @Test func enterInAFieldSendsThePasswordAndNoUser() async throws {
        let server = PageServer.samples()
        try await server.run { address in
            try await withBrowser(Self.scriptless) { browser in
                try await browser.open(address + "/login-mock")
                try await browser.find("#username").type("alice")
                try await browser.find("#password").type("correct horse")
                try await browser.press(.enter)
                try await browser.wait { try await browser.title == "thank you" }
            }
        }
        #expect(
            server.forms == [
                "interaction=i-81c2&csrf=t0ken%22%3C%26%3E&username=alice&password=correct+horse&claims="
            ])
    }

    @Test func aUsersButtonSendsTheUserWithTheKeyboardAlone() async throws {
        let server = PageServer.samples()
        try await server.run { address in
            try await withBrowser(Self.scriptless) { browser in
                try await browser.open(address + "/login-mock")
                try await browser.press(.tab)
                while try await browser.activeElement.attribute("value") != "bob" { try await browser.press(.tab) }
                #expect(try await browser.activeElement.accessibleName == "Bob Stone bob@example.com")
                try await browser.press(.enter)
                try await browser.wait { try await browser.title == "thank you" }
            }
        }
        #expect(server.forms.first?.contains("&user=bob&") == true)
    }

    @Test(arguments: [("login", "cancel=1"), ("accounts", "cancel=1")])
    func cancelNeedsNothingFilledIn(_ page: String, _ expected: String) async throws {
        let server = PageServer.samples()
        try await server.run { address in
            try await withBrowser(Self.scriptless) { browser in
                try await browser.open(address + "/" + page)
                try await browser.find("[name=cancel]").click()
                try await browser.wait { try await browser.title == "thank you" }
            }
        }
        #expect(server.forms.first?.contains(expected) == true)
    }

    @Test func consentSendsWhatIsLeftChecked() async throws {
        let server = PageServer.samples()
        try await server.run { address in
            try await withBrowser(Self.scriptless) { browser in
                try await browser.open(address + "/consent")
                try await browser.find("[value=email]").click()
                try await browser.find("[value=allow]").click()
                try await browser.wait { try await browser.title == "thank you" }
            }
        }
        let form = try #require(server.forms.first)
        #expect(form.hasSuffix("scope=profile&scope=offline_access&scope=photos.read&decision=allow"))
    }

    @Test func enterOnACheckBoxAllowsNothing() async throws {
        let server = PageServer.samples()
        try await server.run { address in
            try await withBrowser(Self.scriptless) { browser in
                try await browser.open(address + "/consent")
                while try await browser.activeElement.attribute("type") != "checkbox" { try await browser.press(.tab) }
                try await browser.press(.enter)
                try await browser.wait { try await browser.title == "thank you" }
            }
        }
        #expect(server.forms.first?.hasSuffix("decision=deny") == true)
    }

    /// A screen reader says what is wrong with the field as well as when the page comes.
    @Test func aWrongFieldPointsAtTheReason() async throws {
        try await PageServer.samples().run { address in
            try await withBrowser(Self.scriptless) { browser in
                try await browser.open(address + "/login-wrong")
                #expect(try await browser.activeElement.attribute("id") == "password")
                let reason = try await browser.find("#password").attribute("aria-describedby") ?? ""
                #expect(try await browser.find("#" + reason).accessibleRole == "alert")
            }
        }
    }

    /// Endpoints compare `Origin` with their own; with `Referrer-Policy: no-referrer` it would be `null`.
    @Test func ourFormsSayWhereTheyComeFrom() async throws {
        let server = PageServer.samples()
        let address = try await server.run { address in
            try await withBrowser(Self.scriptless) { browser in
                try await browser.open(address + "/device-enter")
                try await browser.press(.enter)
                try await browser.wait { try await browser.title == "thank you" }
            }
            return address
        }
        let post = try #require(server.posts.first)
        #expect(post.head.headerFields[.origin] == address)
    }
}
