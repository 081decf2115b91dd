import HTTPMessages
import JOSE
import OAuth
import Primitives
import Testing

/// The modules of the foundation's Basic profile, `oidcc-` and the name of the test in its own spelling. The Dynamic and the
/// Form Post profile run them again. See `docs/conformance.md`.
@Suite struct BasicProfileTests {
    @Test(arguments: ConformanceProfile.all)
    func server(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let tokens = try await rp.signIn()
        #expect(tokens.claims.subject == "alice")
        #expect(tokens.claims["auth_time"]?.int64 == rp.idp.clock.now().secondsSinceEpoch)
        // The scope that was granted is the one that was asked for.
        #expect(tokens.answer.json?["scope"].map { $0 == "openid" } ?? true)
        _ = try await rp.userInfo(tokens)
    }

    /// OpenID Connect Core section 3.1.2.6: an error, told to the client or to the user, and no code.
    @Test(arguments: ConformanceProfile.all)
    func responseTypeMissing(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let page = try await rp.authorize(["response_type": nil])
        #expect(try rp.error(of: page) == "invalid_request")
    }

    @Test(arguments: ConformanceProfile.all)
    func idtokenSignature(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let tokens = try await rp.signIn()
        #expect(tokens.header.algorithmName == "ES256")
        let keys = try JWKSet(parsing: await rp.idp.get("/jwks.json").body.span).keys
        let named = try #require(keys.first { $0.keyID == tokens.header.keyID })
        #expect(named.use == "sig")
        #expect(!keys.contains { $0.isPrivate })
        // A signature that covers something else is none.
        var parts = tokens.idToken.split(separator: ".").map(String.init)
        parts[1] = Base64URL.encode(Array("{\"sub\":\"bob\"}".utf8))
        await #expect(throws: JWTError.self) { _ = try await rp.verified(parts.joined(separator: ".")) }
    }

    /// A provider need not have `none`, and this one has not: not in its metadata, and not for whoever asks.
    @Test func idtokenUnsigned() async throws {
        let rp = try await RelyingParty.start()
        for (name, value) in try await rp.idp.discovered() where name.hasSuffix("_alg_values_supported") {
            #expect(value.array?.contains("none") == false, "\(name)")
        }
        let answer = await rp.idp.register([
            "redirect_uris": [.string(RelyingParty.redirectURI)], "id_token_signed_response_alg": "none",
        ])
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_client_metadata")
    }

    @Test(arguments: ConformanceProfile.all)
    func ensureRequestWithoutNonceSucceedsForCodeFlow(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let tokens = try await rp.redeem(rp.code(["nonce": nil]), nonce: nil)
        #expect(tokens.claims["nonce"] == nil)
    }

    // MARK: Codes

    /// RFC 6749 section 4.1.2: MUST NOT be used more than once; SHOULD revoke what it gave.
    @Test(arguments: ConformanceProfile.all)
    func codereuse(profile: ConformanceProfile) async throws {
        try await reuse(profile, after: .zero)
    }

    @Test(arguments: ConformanceProfile.all)
    func codereuse30seconds(profile: ConformanceProfile) async throws {
        try await reuse(profile, after: .seconds(30))
    }

    private func reuse(_ profile: ConformanceProfile, after wait: Duration) async throws {
        let rp = try await RelyingParty.start(profile)
        let code = try await rp.code()
        let tokens = try await rp.redeem(code)
        _ = try await rp.userInfo(tokens)
        rp.idp.clock.advance(by: wait)
        let second = try await rp.exchange(code)
        #expect(second.status == 400)
        #expect(second.error == "invalid_grant")
        #expect(second.json?["access_token"] == nil)
        await rp.expectRefusal(tokens.accessToken)
        let refreshed = try await rp.refresh(try #require(tokens.refreshToken))
        #expect(refreshed.error == "invalid_grant")
    }

    // MARK: Clients

    @Test(arguments: ConformanceProfile.all)
    func serverClientSecretPost(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile.authenticating(by: "client_secret_post"))
        _ = try await rp.userInfo(await rp.signIn())
        let wrong = RelyingParty(
            idp: rp.idp, profile: rp.profile, browser: rp.browser, server: rp.server, id: rp.id, secret: "wrong")
        let answer = try await wrong.exchange(try await rp.code(of: rp.authorize()))
        #expect(answer.status == 401)
        #expect(answer.error == "invalid_client")
    }

    @Test(arguments: ConformanceProfile.all)
    func ensureRequestWithValidPkceSucceeds(profile: ConformanceProfile) async throws {
        // RFC 7636 appendix B.
        let challenge = [
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
        ]
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let rp = try await RelyingParty.start(profile)
        _ = try await rp.redeem(rp.code(challenge), ["code_verifier": verifier])
        for wrong in [nil, String(verifier.reversed())] {
            let answer = try await rp.exchange(rp.code(of: rp.authorize(challenge)), ["code_verifier": wrong])
            #expect(answer.error == "invalid_grant")
        }
    }

    // MARK: Refresh tokens

    /// OpenID Connect Core section 12.2, and RFC 6749 section 6: the token is bound to its client.
    @Test(arguments: ConformanceProfile.all)
    func refreshToken(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let first = try await rp.signIn(["scope": "openid offline_access", "prompt": "login"])
        let discovered = try await rp.idp.discovered()
        #expect(discovered["grant_types_supported"]?.array?.contains("refresh_token") == true)
        rp.idp.clock.advance(by: .seconds(1))
        let second = try await rp.tokens(
            in: await rp.refresh(try #require(first.refreshToken), ["scope": "openid"]), nonce: nil)
        #expect(second.accessToken != first.accessToken)
        for name in ["iss", "sub", "aud", "auth_time", "azp", "sid"] {
            #expect(second.claims[name] == first.claims[name], "\(name)")
        }
        #expect(try #require(second.claims.issuedAt) > #require(first.claims.issuedAt))
        _ = try await rp.userInfo(second)
        let other = try await RelyingParty.join(rp.idp, profile, id: "other")
        let token = try #require(second.refreshToken)
        let foreign = try await other.refresh(token)
        #expect(foreign.status == 400)
        #expect(foreign.error == "invalid_grant")
        // The attempt of another has cost the client nothing.
        #expect(try await rp.refresh(token).status == 200)
    }
}
