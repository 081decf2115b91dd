import Foundation
import HTTPMessages
import JOSE
import Primitives
import TestSupport
import Testing

/// A user who signs out of the program as it is shipped, and the client whose server hears of it.
@Suite struct LogoutTests {
    private static let redirect = "http://127.0.0.1:9/callback"
    private static let goodbye = "http://127.0.0.1:9/bye"

    private struct Tokens {
        let client: String
        let access: String
        let refresh: String
        let id: String
    }

    /// Registers a client, signs alice in with it, and redeems its code.
    private func signIn(_ browser: CurlBrowser, backChannel: String) async throws -> Tokens {
        let server = browser.server
        let metadata = try JSONSerialization.data(withJSONObject: [
            "redirect_uris": [Self.redirect], "post_logout_redirect_uris": [Self.goodbye],
            "backchannel_logout_uri": backChannel, "backchannel_logout_session_required": true,
            "token_endpoint_auth_method": "none", "grant_types": ["authorization_code", "refresh_token"],
        ])
        let registered = try await server.curl(
            "/register",
            ["-H", "Content-Type: application/json", "-d", String(decoding: metadata, as: UTF8.self)])
        #expect(registered.status == 201, "\(registered.body)")
        let client = try #require(try registered.object()["client_id"] as? String)
        let login = try await browser.open(
            "/authorize?response_type=code&scope=openid&code_challenge_method=S256"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
                + "&client_id=\(client)&redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fcallback")
        let consent = try await browser.submit(login, ["username": "alice", "password": "alice"])
        let answer = try await browser.submit(consent, ["decision": "allow"])
        let code = try #require(answer.parameter("code"), "\(answer)")
        let tokens = try await server.curl(
            "/token",
            [
                "-d", "grant_type=authorization_code", "-d", "code=\(code)", "-d", "client_id=\(client)",
                "--data-urlencode", "redirect_uri=\(Self.redirect)", "-d",
                "code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            ]
        ).object()
        return Tokens(
            client: client, access: try #require(tokens["access_token"] as? String),
            refresh: try #require(tokens["refresh_token"] as? String),
            id: try #require(tokens["id_token"] as? String))
    }

    private func refresh(_ token: String, of tokens: Tokens, at server: Server) async throws -> Server.Answer {
        try await server.curl(
            "/token",
            [
                "-d", "grant_type=refresh_token", "-d", "client_id=\(tokens.client)", "-d",
                "refresh_token=\(token)",
            ])
    }

    @Test func tellsTheServerOfTheClientBeforeTheUserIsSentBack() async throws {
        let receiver = try await LogoutReceiver()
        let server = try await Server()
        let browser = try CurlBrowser(server)
        let tokens = try await signIn(browser, backChannel: receiver.url)
        let page = try await browser.open(
            "/logout?state=xyz&id_token_hint=\(tokens.id)&post_logout_redirect_uri=http%3A%2F%2F127.0.0.1%3A9%2Fbye")
        #expect(page.status == 303)
        #expect(page.location == Self.goodbye + "?state=xyz")

        let request = try #require(receiver.requests.first)
        #expect(receiver.requests.count == 1)
        #expect(request.head.method == .post)
        #expect(request.head.path == "/backchannel?tenant=1")
        #expect(request.head.headerFields[.contentType] == "application/x-www-form-urlencoded")
        #expect(request.head.headerFields[.cacheControl] == "no-store")
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.hasPrefix("logout_token="))
        // As a client does that knows the server by its URLs alone.
        let keys = try await server.curl("/jwks.json").body
        let token = try JWTPolicy(
            issuer: .exactly(server.url), audience: .oneOf([tokens.client]), type: .exactly("logout+jwt"),
            requiredClaims: ["exp", "iat", "jti", "events", "sid"]
        ).verify(
            String(body.dropFirst("logout_token=".count)),
            keys: VerificationKeySet(JWKSet(parsing: Array(keys.utf8).span)), at: SystemWallClock().now())
        #expect(token.claims["nonce"] == nil)
        #expect(token.claims["events"]?["http://schemas.openid.net/event/backchannel-logout"] == [:])

        let refused = try await refresh(tokens.refresh, of: tokens, at: server)
        #expect(refused.status == 400)
        #expect(try refused.object()["error"] as? String == "invalid_grant")
        let metrics = try await server.curl("/metrics").body
        #expect(metrics.contains(#"pawl_logout_announcements_total{outcome="delivered"} 1"#))
        #expect(await server.stop() == 0)
        await receiver.stop()
    }

    @Test func signsOutAllTheSameWhenNobodyAnswersThere() async throws {
        let receiver = try await LogoutReceiver()
        let url = receiver.url
        await receiver.stop()
        let server = try await Server()
        let browser = try CurlBrowser(server)
        let tokens = try await signIn(browser, backChannel: url)
        let page = try await browser.open("/logout")
        #expect(page.status == 200)
        let refreshed = try await refresh(tokens.refresh, of: tokens, at: server)
        #expect(refreshed.status == 200, "the user has only been asked")
        let current = try #require(try refreshed.object()["refresh_token"] as? String)
        let done = try await browser.submit(page, ["decision": "logout"])
        #expect(done.status == 200)
        #expect(done.body.contains("You are signed out"))
        #expect(try await refresh(current, of: tokens, at: server).status == 400)
        let metrics = try await server.curl("/metrics").body
        #expect(metrics.contains(#"pawl_logout_announcements_total{outcome="failed"} 1"#))
        #expect(!server.process.errors.text.contains(url), "addresses are not logged")
        #expect(await server.stop() == 0)
    }
}
