import Foundation
import HTTPMessages
import Networking
import Primitives
import TestSupport
import Testing

/// S18 with the real program: a provider, a proxy, a server behind it, and pages that have a cookie and nothing else.
@Suite struct ProxyTests {
    private func provider(_ arguments: [String] = []) async throws -> Server {
        try await Server(["--auto-login"] + ProxyServer.client + arguments)
    }

    private func records(_ provider: Server, _ query: String) async throws -> [[String: Any]] {
        try await provider.curl("/_pawl/requests?\(query)").object()["requests"] as? [[String: Any]] ?? []
    }

    private func refreshes(at provider: Server) async throws -> Int {
        try await records(provider, "path=/token&grant_type=refresh_token").count
    }

    private func advance(_ provider: Server, by duration: String) async throws {
        let answer = try await provider.curl(
            "/_pawl/clock/advance", ["-H", "Content-Type: application/json", "-d", #"{"by":"\#(duration)"}"#])
        #expect(answer.status == 200)
    }

    private func goodFamilies(_ provider: Server) async throws -> Int {
        let families = try await provider.curl("/_pawl/families").object()["families"] as? [[String: Any]] ?? []
        return families.count { $0["ended"] == nil || $0["ended"] is NSNull }
    }

    /// S10, under the strictest rules there are: a refresh token that comes twice ends everything.
    @Test func pagesThatLoadAllAtOnceShareOneRefresh() async throws {
        let provider = try await provider(["--rotation", "strict"])
        let proxy = try await ProxyServer(before: provider.url, signingInAt: provider)
        let browser = try PageBrowser(of: proxy.publicURL)
        #expect(try await browser.fetch(.get, "/userinfo").status == 401)
        #expect(try await browser.open("/userinfo").json["sub"] == "alice")
        for round in 1...3 {
            try await advance(provider, by: "1h")
            #expect(try await browser.fetchMany(60, "/userinfo") == [200: 60])
            #expect(try await refreshes(at: provider) == round)
        }
        #expect(try await browser.fetch(.get, "/_session").json["sub"] == "alice")
        #expect(try await goodFamilies(provider) == 1)
        #expect(await proxy.stop() == 0)
        #expect(await provider.stop() == 0)
    }

    /// No page, no header and no log line ever has a token, a code or a session's name.
    @Test func noTokenLeavesTheProxyButForTheUpstream() async throws {
        let upstream = try await RecordingUpstream { _ in
            ServerResponse(status: .ok, headerFields: [.contentType: "text/plain"], body: .bytes(Array("goods".utf8)))
        }
        let provider = try await provider(["--token-lifetime", "2s"])
        let proxy = try await ProxyServer(before: upstream.url, signingInAt: provider)
        let browser = try PageBrowser(of: proxy.publicURL)
        #expect(try await browser.open("/page?x=y").text == "goods")
        let session = try #require(browser.cookies[proxy.cookie])
        for method in [HTTPRequest.Method.post, .put, .patch, .delete] {
            #expect(try await browser.fetch(method, "/thing", body: Array("content".utf8)).text == "goods")
        }
        #expect(
            upstream.requests.map { String(decoding: $0.body, as: UTF8.self) } == [""]
                + Array(repeating: "content", count: 4))
        for request in upstream.requests {
            let fields = request.head.headerFields
            #expect(fields[.authorization]?.hasPrefix("Bearer ey") == true)
            #expect(fields[.cookie]?.contains(session) != true && fields[.cookie]?.contains(proxy.cookie) != true)
            #expect(fields[HTTPField.Name("X-Forwarded-Host")!] == "127.0.0.1:\(proxy.port)")
        }
        #expect(try await browser.fetch(.post, "/_session/logout").status == 200)
        #expect(await proxy.stop() == 0)
        let log = proxy.process.errors.text
        #expect(log.contains("signed in") && log.contains("\"path\":\"/_session/callback\""))
        for token in upstream.tokens {
            #expect(!browser.seen.contains(token) && !log.contains(token))
        }
        #expect(!upstream.tokens.isEmpty && !browser.seen.contains("eyJ") && !log.contains("eyJ"))
        #expect(!log.contains(session) && !log.contains("code="))
        await upstream.stop()
        #expect(await provider.stop() == 0)
    }

    /// S22: the session is over here, at the provider, and for whoever kept a copy of the cookie.
    @Test func whoSignsOutStaysSignedOut() async throws {
        let provider = try await provider()
        let proxy = try await ProxyServer(before: provider.url, signingInAt: provider)
        let (one, other) = (try PageBrowser(of: proxy.publicURL), try PageBrowser(of: proxy.publicURL))
        for browser in [one, other] { #expect(try await browser.open("/userinfo").status == 200) }
        let copy = try #require(one.cookies[proxy.cookie])
        #expect(try await one.send(.post, proxy.publicURL + "/_session/logout", []).status == 403)
        #expect(try await one.fetch(.post, "/_session/logout").json["ended"] == 1)
        try one.put(proxy.cookie, copy)
        #expect(try await one.fetch(.get, "/userinfo").status == 401)
        #expect(try await goodFamilies(provider) == 1)
        #expect(try await other.fetch(.get, "/userinfo").status == 200)
        // The provider still knows the user, and asks all the same.
        let again = try await one.send(.get, proxy.publicURL + "/_session/login", PageBrowser.visit)
        #expect(again.location?.contains("prompt=login") == true)
        // Everywhere is what it says.
        #expect(try await one.open("/userinfo").status == 200)
        #expect(try await other.fetch(.post, "/_session/logout?everywhere=true").json["ended"] == 2)
        #expect(try await one.fetch(.get, "/userinfo").status == 401)
        #expect(try await goodFamilies(provider) == 0)
        #expect(await proxy.stop() == 0)
        #expect(await provider.stop() == 0)
    }

    /// OpenID Connect RP-Initiated Logout section 2: the provider knows by the ID token whose login ends, and asks nobody.
    @Test func aFormSignsOutAtTheProviderToo() async throws {
        let provider = try await provider()
        let proxy = try await ProxyServer(before: provider.url, signingInAt: provider)
        let browser = try PageBrowser(of: proxy.publicURL)
        #expect(try await browser.open("/userinfo").status == 200)
        let form = [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Mode", "navigate"), ("Origin", proxy.publicURL)]
        let answer = try await browser.send(.post, proxy.publicURL + "/_session/logout", form)
        let url = try #require(answer.location)
        #expect(answer.status == 303 && url.hasPrefix(provider.url + "/") && url.contains("id_token_hint=eyJ"))
        let page = try await browser.send(.get, url, PageBrowser.visit)
        #expect(page.status == 200 && !page.text.contains("<form"), "\(page.status) \(page.text)")
        #expect(await proxy.stop() == 0)
        #expect(!proxy.process.errors.text.contains("eyJ"))
        #expect(await provider.stop() == 0)
    }

    /// A user who signs out at the provider, or is ended there, is signed out here when his token is over.
    @Test func aSessionThatTheProviderHasEndedIsOver() async throws {
        let provider = try await provider()
        let proxy = try await ProxyServer(before: provider.url, signingInAt: provider)
        let browser = try PageBrowser(of: proxy.publicURL)
        #expect(try await browser.open("/userinfo").status == 200)
        _ = try await provider.curl("/_pawl/sessions", ["-X", "DELETE"])
        #expect(try await browser.fetch(.get, "/userinfo").json["error"] == "no_session")
        #expect(try await browser.fetch(.get, "/_session").json["signed_in"] == false)
        #expect(await proxy.stop() == 0)
        #expect(await provider.stop() == 0)
    }

    /// What was in memory is gone, given back and not left behind; and the user, whom the provider still knows, is back at once.
    @Test func aRestartLeavesNothingBehindAndAsksNobody() async throws {
        let provider = try await provider()
        let first = try await ProxyServer(before: provider.url, signingInAt: provider)
        let browser = try PageBrowser(of: first.publicURL)
        #expect(try await browser.open("/userinfo").status == 200)
        #expect(await first.stop() == 0)
        #expect(try await goodFamilies(provider) == 0)
        let second = try await ProxyServer(
            before: provider.url, signingInAt: provider, ["--port", "\(first.port)"])
        #expect(try await browser.fetch(.get, "/userinfo").status == 401)
        #expect(try await browser.open("/userinfo").json["sub"] == "alice")
        // Killed, it leaves what it had; whoever comes back starts anew.
        second.process.send(SIGKILL)
        _ = await second.process.waitForExit()
        #expect(try await goodFamilies(provider) == 1)
        #expect(await provider.stop() == 0)
    }

    /// S18: an app has a second session minted by token exchange (RFC 8693) and hands it over; the two rotate apart.
    @Test func anAppHandsItsWebViewASessionOfItsOwn() async throws {
        let provider = try await provider(["--rotation", "strict"])
        let proxy = try await ProxyServer(before: provider.url, signingInAt: provider, ["--handover"])
        let made = try await provider.curl(
            "/_pawl/clients/app",
            [
                "-X", "PUT", "-H", "Content-Type: application/json", "-d",
                #"{"redirect_uris":["http://127.0.0.1/_session/callback"],"grant_types":["authorization_code","refresh_token","urn:ietf:params:oauth:grant-type:token-exchange"]}"#,
            ])
        #expect([200, 201, 204].contains(made.status), "\(made.body)")
        let session = try await provider.curl(
            "/_pawl/sessions",
            [
                "-H", "Content-Type: application/json", "-d",
                #"{"user":"bob","client":"app","scope":"openid offline_access"}"#,
            ]
        ).object()
        let own = try #require(
            (session["tokens"] as? [String: Any] ?? session)["refresh_token"] as? String, "\(session)")
        let exchange = try await provider.curl(
            "/token",
            [
                "-d", "grant_type=urn:ietf:params:oauth:grant-type:token-exchange", "-d", "client_id=app",
                "-d", "subject_token=\(own)", "-d", "subject_token_type=urn:ietf:params:oauth:token-type:refresh_token",
                "-d", "requested_token_type=urn:ietf:params:oauth:token-type:refresh_token",
            ])
        let minted = try #require(try exchange.object()["access_token"] as? String, "\(exchange.body)")
        let webView = try PageBrowser(of: proxy.publicURL)
        let handed = try await webView.send(
            .post, proxy.publicURL + "/_session/handover", [("Authorization", "Bearer " + minted)])
        #expect(handed.status == 200, "\(handed.text)")
        #expect(try await webView.fetch(.get, "/userinfo").json["sub"] == "bob")
        #expect(
            try await webView.send(
                .post, proxy.publicURL + "/_session/handover", [("Authorization", "Bearer " + minted)]
            ).status == 401)
        // The app's own goes on, and so does the web view's.
        let app = try await provider.curl(
            "/token", ["-d", "grant_type=refresh_token", "-d", "client_id=app", "-d", "refresh_token=\(own)"])
        #expect(app.status == 200, "\(app.body)")
        #expect(!webView.seen.contains(minted) && !webView.seen.contains(own))
        #expect(await proxy.stop() == 0)
        #expect(await provider.stop() == 0)
    }
}
