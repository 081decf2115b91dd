import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// OpenID Connect Front-Channel Logout 1.0.
@Suite struct FrontChannelLogoutTests {
    let setup: LogoutSetup

    init() async throws {
        setup = try await LogoutSetup([
            .underTest("framed") { metadata in
                metadata.name = "Framed"
                metadata.frontChannelLogoutURI = "https://framed.example/logout?a=1"
                metadata.frontChannelLogoutSessionRequired = true
                metadata.postLogoutRedirectURIs = [try RedirectURI(LogoutSetup.goodbye)]
            },
            .underTest("plain") { $0.frontChannelLogoutURI = "https://plain.example/logout" },
            .underTest("app") { $0.frontChannelLogoutURI = "com.example.app:/logout" },
            .underTest("script") { $0.frontChannelLogoutURI = "javascript:alert(1)" },
        ])
    }

    /// Section 3: `iss` and `sid` for whoever registered that it needs them, beside the query that it has.
    @Test func loadsTheAddressOfEachClientOfTheLogin() async throws {
        let tokens = try await setup.signIn("framed")
        for client in ["plain", "app", "script", "quiet"] { _ = try await setup.signIn(client) }
        let elsewhere = Browser(setup.idp)
        _ = try await setup.signIn("plain", as: "bob", with: elsewhere)
        let page = try await setup.logOut(["id_token_hint": tokens.id])
        let sid = try #require(Forged.claims(of: tokens.id)["sid"]?.string)
        #expect(page.saysSignedOut)
        #expect(
            page.frames == [
                "https://framed.example/logout?a=1&iss=http%3A%2F%2Flocalhost%3A8080&sid=\(sid)",
                "https://plain.example/logout",
            ])
        let policy = try #require(page.answer.field("Content-Security-Policy"))
        #expect(policy.contains("frame-src https://framed.example https://plain.example;"), "\(policy)")
        #expect(!policy.contains("script-src"))
        #expect(!page.text.contains("http-equiv=\"refresh\""))
    }

    /// The page goes on by itself, when the frames have had their time, and by a link; no script is needed.
    @Test func goesOnToTheClientAfterwards() async throws {
        let tokens = try await setup.signIn("framed")
        let page = try await setup.logOut([
            "id_token_hint": tokens.id, "post_logout_redirect_uri": LogoutSetup.goodbye, "state": "a&b",
        ])
        #expect(page.status == 200)
        #expect(page.location == nil)
        #expect(page.frames.count == 1)
        let target = "https://rp.example/bye?from=idp&amp;state=a%26b"
        #expect(page.text.contains("http-equiv=\"refresh\" content=\"3;url=\(target)\""), "\(page.text)")
        #expect(page.text.contains("href=\"\(target)\""))
        #expect(page.text.contains("Back to <strong><bdi>Framed</bdi></strong>"))
        #expect(try await !setup.isSignedIn())
    }

    @Test func loadsNothingBeforeTheUserHasSaidYes() async throws {
        _ = try await setup.signIn("framed")
        let page = try await setup.logOut()
        #expect(page.asksWhetherToSignOut)
        #expect(page.frames.isEmpty)
        #expect(page.answer.field("Content-Security-Policy")?.contains("frame-src") == false)
        #expect(try await setup.browser.submit(page, ["decision": "logout"]).frames.count == 1)
        // What has ended does not end again.
        #expect(try await setup.logOut().frames.isEmpty)
    }

    @Test func toldEachAccountsClientsWithItsOwnSession() async throws {
        let alice = try await setup.signIn("framed", as: "alice")
        let bob = try await setup.signIn("framed", as: "bob", ["prompt": "login"])
        let page = try await setup.browser.submit(try await setup.logOut(), ["decision": "logout"])
        let sids = [alice, bob].compactMap { Forged.claims(of: $0.id)["sid"]?.string }
        #expect(page.frames.count == 2)
        for sid in sids { #expect(page.frames.count { $0.hasSuffix("sid=\(sid)") } == 1) }
    }
}

extension BrowserPage {
    /// The addresses of its frames.
    var frames: [String] {
        text.split(separator: "<iframe").dropFirst().compactMap { frame in
            guard let source = frame.firstRange(of: "src=\""),
                let end = frame[source.upperBound...].firstIndex(of: "\"")
            else { return nil }
            return BrowserForm.decoded(frame[source.upperBound..<end])
        }
    }
}
