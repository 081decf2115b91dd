import Foundation
import Primitives
import TestSupport
import Testing

/// The running binary and a real browser: an application on another port signs its user in and gets its tokens by
/// `fetch`, as a page without a server of its own does.
@Suite(.enabled(if: Browser.isExpected, Comment(rawValue: Browser.missing)))
struct ChromiumTests {
    private static let verifier = String(repeating: "v", count: 43)

    @Test func anApplicationOnAnotherPortSignsInAndFetchesTokens() async throws {
        let provider = try await Server()
        // Another origin of this machine. Any server will do that gives a page; this one is at hand.
        let application = try await Server()
        try await withBrowser(BrowserOptions()) { browser in
            try await browser.open(application.url + "/health")
            let issuer = provider.url
            let page = application.url
            let challenge = try await browser.run(
                """
                return (async () => {
                const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(arguments[0]));
                return btoa(String.fromCharCode(...new Uint8Array(digest)))
                    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
                })();
                """, [.string(Self.verifier)])
            let query = [
                "client_id=web", "response_type=code", "scope=openid%20email", "state=s",
                "code_challenge=\(try #require(challenge.string))", "code_challenge_method=S256",
                "redirect_uri=\(page)/callback",
            ]
            try await browser.open(issuer + "/authorize?" + query.joined(separator: "&"))
            try await browser.find("button[name=user][value=bob]").click()
            try await browser.wait { try await browser.url.hasPrefix(page + "/callback?") }
            let answer = try #require(URLComponents(string: try await browser.url)?.queryItems)
            let code = try #require(answer.first { $0.name == "code" }?.value)
            #expect(answer.first { $0.name == "iss" }?.value == issuer)
            let tokens = try await browser.run(
                """
                return (async () => {
                const answer = await fetch(arguments[0] + '/token', {method: 'POST', headers: {'X-App': '1'},
                    body: new URLSearchParams({grant_type: 'authorization_code', client_id: 'web', code: arguments[1],
                        code_verifier: arguments[2], redirect_uri: arguments[3]})});
                const tokens = await answer.json();
                const user = await fetch(arguments[0] + '/userinfo',
                    {headers: {Authorization: 'Bearer ' + tokens.access_token}});
                return [answer.status, tokens.token_type, (await user.json()).email];
                })();
                """, [.string(issuer), .string(code), .string(Self.verifier), .string(page + "/callback")])
            #expect(tokens == [200, "Bearer", "bob@example.com"])
            Attachment.record(try await browser.screenshot(), named: "application-on-another-port.png")
        }
        #expect(await provider.stop() == 0)
        #expect(await application.stop() == 0)
    }
}
