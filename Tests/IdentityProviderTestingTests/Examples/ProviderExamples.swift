import IdentityProviderTesting
import Testing

/// The examples of the documentation: the provider itself, tokens, answers, requests.
@Suite struct ProviderExamples {
    @Test func providers() async throws {
        try await withIdentityProvider { idp in
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid profile")
            print(idp.issuer, tokens.accessToken)
        }
        try await withIdentityProvider { idp in
            try idp.users.add(TestUser("carol", claims: ["email": "carol@example.com"]))
            let metadata = idp.url("/.well-known/openid-configuration")
            print(metadata)  // http://127.0.0.1:49152/.well-known/openid-configuration
        }
        try await withIdentityProvider { idp in
            let issuer = idp.issuer  // http://127.0.0.1:49152
            let token = idp.url("/token")
            let endpoint = idp.discovery["token_endpoint"]?.string
            #expect(token == endpoint && token == issuer + "/token")
        }
    }

    @Test func tokens() async throws {
        try await withIdentityProvider { idp in
            let tokens = try await idp.tokens(for: "alice", client: "web", scope: "openid profile")
            print(tokens.accessToken, tokens.expiresIn)
            let token = try await idp.sign(["iss": .string(idp.issuer), "sub": "alice", "exp": 1], type: "at+jwt")
            #expect(token.split(separator: ".").count == 3)
            let sessions = try await idp.sessions()
            let alive = sessions.filter { !$0.hasEnded }
            #expect(alive.count == 1)
        }
        try await withIdentityProvider { idp in
            let tokens = try await idp.tokens(for: "alice", client: "web")
            try await idp.endSession(tokens.loginID)
            #expect(try await idp.sessions().allSatisfy(\.hasEnded))
            idp.claimsOfNextLogin(["roles": ["auditor"]], for: "alice")
            try await idp.reset()
            #expect(try await idp.sessions().isEmpty)
        }
    }

    @Test func refreshes() async throws {
        try await withIdentityProvider { idp in
            let token = try #require(try await idp.tokens(for: "alice", client: "web").refreshToken)
            let app = AppUnderTest(idp)
            _ = try await app.refresh(token)
            _ = try await app.refresh(token)
            let refresh = try #require(idp.requests.last?.refresh)
            #expect(refresh.verdict == "refused" && refresh.cause == "reused")
        }
    }

    /// What an app and the web view inside it meet that both refresh: the second presents a token that was replaced.
    @Test func rotation() async throws {
        for (rotation, status, hasEnded) in [("strict", 400, true), ("okta,window=5s", 200, false)] {
            let setup = TestSetup(rotation: rotation)
            try await withIdentityProvider(setup) { idp in
                let token = try #require(try await idp.tokens(for: "alice", client: "web").refreshToken)
                let app = AppUnderTest(idp)
                #expect(try await app.refresh(token).status == 200)
                #expect(try await app.refresh(token).status == status)
                #expect(try await idp.sessions().first?.hasEnded == hasEnded)
                let last = try #require(idp.requests.last?.refresh)
                #expect(last.number == 1 && last.verdict == (hasEnded ? "refused" : "replayed"))
            }
        }
        await #expect(throws: IdentityProviderTestingError.self) {
            try await withIdentityProvider(TestSetup(rotation: "otka")) { _ in }
        }
    }

    @Test func errors() async throws {
        try await withIdentityProvider { idp in
            do throws(IdentityProviderTestingError) {
                _ = try await idp.tokens(for: "nobody", client: "web")
            } catch {
                print(error.reason)  // unknownUser
                print(error)  // there is no user nobody; there are alice, bob, minji, haruto
            }
        }
        let reason = IdentityProviderTestingError.Reason.unknownClient
        print(reason.rawValue)
    }

    @Test func answers() async throws {
        try await withIdentityProvider { idp in
            try idp.answerNext(.error("temporarily_unavailable", status: 503))
            try idp.answerNext(.body(#"{"access_token":"#, status: 200), count: 2)
            try idp.answerNext(.changing(accessTokenClaims: ["aud": "somebody-else"]), client: "web")

            try idp.answerNext(.error("server_error", status: 500, when: .after))  // the refresh token is spent
            try idp.answerNext(.error("invalid_grant"))
            try idp.answerNext(.body("<html>", status: 502, fields: ["Content-Type": "text/html"]))
            try idp.answerNext(.changing(idTokenClaims: ["nonce": "wrong"], members: ["expires_in": nil]))

            try idp.answerNext(.error("temporarily_unavailable", status: 503), count: 2)
            try idp.answerNext(.body("{}"), at: "/userinfo")
            try idp.answerNext(.changing(members: ["sub": "somebody-else"]), at: "/userinfo")
            try idp.answerNext(.changing(members: ["state": "wrong"]), at: "/authorize")
        }
    }

    @Test func requests() async throws {
        try await withIdentityProvider { idp in
            let app = AppUnderTest(idp)
            _ = try await app.post("/token", "grant_type=client_credentials", basic: "service:secret")
            let request = try await idp.nextRequest(matching: .path("/token"))
            print(request.clientID ?? "-", request.grantType ?? "-", request.status)
            let refreshes = idp.requests.filter { $0.grantType == "refresh_token" }
            #expect(refreshes.isEmpty)

            let tokens = try await idp.tokens(for: "alice", client: "web")
            for _ in 0..<2 {
                let refresh = "grant_type=refresh_token&client_id=web&refresh_token=\(tokens.refreshToken ?? "")"
                _ = try await app.post("/token", refresh)
            }
            try await idp.nextRequest(matching: RequestMatch { $0.grantType == "refresh_token" && $0.status == 200 })
            try await idp.nextRequest(matching: .path("/token", client: "web"))
            let failures = RequestMatch { $0.status >= 400 }
            _ = try await app.get("/userinfo")
            try await idp.nextRequest(matching: .path("/userinfo"))
            _ = try await app.get("/nowhere")
            try await idp.nextRequest(matching: failures)
            _ = try await app.get("/jwks.json")
            try await idp.nextRequest(matching: .any)
        }
    }
}
