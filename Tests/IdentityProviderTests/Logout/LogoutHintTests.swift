import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// Which ID tokens a logout request may hint with, and what they are worth (OpenID Connect RP-Initiated Logout section 2).
@Suite struct LogoutHintTests {
    let setup: LogoutSetup

    init() async throws { setup = try await LogoutSetup() }

    /// Section 2: the provider SHOULD accept tokens whose time is over.
    @Test func acceptsATokenThatHasExpired() async throws {
        let tokens = try await setup.signIn()
        setup.idp.clock.advance(by: .seconds(3600))
        #expect(try await setup.logOut(["id_token_hint": tokens.id]).saysSignedOut)
        #expect(try await !setup.isSignedIn())
    }

    @Test func acceptsATokenSignedWithTheSecretOfItsClient() async throws {
        let tokens = try await setup.signIn("symmetric")
        let page = try await setup.logOut([
            "id_token_hint": tokens.id, "post_logout_redirect_uri": LogoutSetup.goodbye,
        ])
        #expect(page.location == LogoutSetup.goodbye)
        #expect(try await !setup.isSignedIn())
    }

    /// modified-id-token-hint, bad-id-token-hint
    @Test(
        arguments: [
            { _ in "bad" },
            { _ in "a.b.c" },
            { $0 + "A" },
            { String($0.dropLast(4)) + "AAAA" },
            { Forged.withoutSignature($0) },
            { Forged.withAlgorithmNone($0) },
            { Forged.claiming("sub", "bob", in: $0) },
            { String(repeating: "a", count: 16_000) + $0.suffix(8) },
        ] as [@Sendable (String) -> String])
    func refusesATokenThatIsNotAsItWas(change: @Sendable (String) -> String) async throws {
        let tokens = try await setup.signIn()
        let hint = change(tokens.id)
        try await setup.expectRefusal(
            setup.logOut(["id_token_hint": hint, "post_logout_redirect_uri": LogoutSetup.goodbye, "client_id": "rp"]))
        try await setup.expectRefusal(setup.logOut(["id_token_hint": hint]))
    }

    /// RFC 8725 section 3.11: one sort of token never passes for another.
    @Test func refusesAnAccessToken() async throws {
        let tokens = try await setup.signIn()
        try await setup.expectRefusal(setup.logOut(["id_token_hint": tokens.access]))
    }

    @Test func refusesALogoutToken() async throws {
        _ = try await setup.signIn()
        let page = try await setup.logOut()
        _ = try await setup.browser.submit(page, ["decision": "logout"])
        let logoutToken = try #require(setup.outbound.sent.first?.form["logout_token"])
        _ = try await setup.signIn()
        let refused = try await setup.logOut(["id_token_hint": logoutToken])
        #expect(refused.status == 400)
        #expect(try await setup.isSignedIn())
    }

    @Test func refusesATokenOfAnotherClient() async throws {
        let tokens = try await setup.signIn("other")
        try await setup.expectRefusal(setup.logOut(["id_token_hint": tokens.id, "client_id": "rp"]))
        // Nor does it open the redirects of a client that it was not given to.
        try await setup.expectRefusal(
            setup.logOut(["id_token_hint": tokens.id, "post_logout_redirect_uri": LogoutSetup.goodbye]))
    }

    @Test(arguments: ["nobody", "RP", "rp "])
    func refusesAClientThatIsNotThere(id: String) async throws {
        let tokens = try await setup.signIn()
        try await setup.expectRefusal(setup.logOut(["client_id": id]))
        try await setup.expectRefusal(setup.logOut(["id_token_hint": tokens.id, "client_id": id]))
    }

    @Test func refusesATokenOfAnotherProvider() async throws {
        let other = try await LogoutSetup()
        let tokens = try await other.signIn()
        _ = try await setup.signIn()
        try await setup.expectRefusal(setup.logOut(["id_token_hint": tokens.id]))
    }

    /// Tenants have keys of their own; but a client may have the same secret with both.
    @Test(arguments: ["rp", "symmetric"])
    func refusesATokenOfAnotherTenant(client: String) async throws {
        let tokens = try await setup.signIn(client)
        let foreign = try await setup.idp.tenantHint(like: tokens.id, of: client)
        try await setup.expectRefusal(setup.logOut(["id_token_hint": foreign]))
    }

    @Test func refusesATokenSignedWithTheSecretOfAnother() async throws {
        let tokens = try await setup.signIn("symmetric")
        for secret in ["another secret of at least thirty-two bytes", "{\"keys\":[]} a public key is no secret at all"]
        {
            let forged = try Forged.signing(tokens.id, with: Secret(utf8: secret))
            try await setup.expectRefusal(setup.logOut(["id_token_hint": forged]))
        }
    }

    /// RFC 8725 section 3.1: the algorithm is the key's. A client with a key of ours never takes a secret for it.
    @Test func refusesASecretWhereTheClientHasAnAlgorithmOfKeys() async throws {
        let setup = try await LogoutSetup([
            .underTest("confidential", secret: LogoutSetup.secret) { $0.requiresPKCE = true }
        ])
        let symmetric = try await setup.signIn("symmetric")
        let forged = try Forged.signing(
            Forged.claiming("aud", "confidential", in: symmetric.id), with: Secret(utf8: LogoutSetup.secret))
        try await setup.expectRefusal(setup.logOut(["id_token_hint": forged]))
    }

    @Test func refusesAKeyThatThePublishedSetHasForgotten() async throws {
        let tokens = try await setup.signIn()
        try setup.idp.keyRing.rotate(to: .generate(.es256), at: setup.idp.clock.now())
        setup.idp.clock.advance(by: .seconds(7200))
        try await setup.expectRefusal(setup.logOut(["id_token_hint": tokens.id]))
    }

    /// Section 2: the user MUST be asked when the token does not belong to the session that the browser has.
    @Test func asksWhenTheHintIsOfAnotherSession() async throws {
        let elsewhere = Browser(setup.idp)
        let tokens = try await setup.signIn("rp", as: "alice", with: elsewhere)
        _ = try await setup.signIn("rp", as: "alice")
        let page = try await setup.logOut([
            "id_token_hint": tokens.id, "post_logout_redirect_uri": LogoutSetup.goodbye,
        ])
        #expect(page.asksWhetherToSignOut)
        #expect(try await setup.isSignedIn())
        let done = try await setup.browser.submit(page, ["decision": "logout"])
        #expect(done.location == LogoutSetup.goodbye)
        #expect(try await !setup.isSignedIn())
        // The session that the token is of goes on.
        #expect(try await setup.isSignedIn(elsewhere))
    }

    /// `sid` is no secret; the other half of the cookie is.
    @Test func endsNoSessionByAForgedCookie() async throws {
        let tokens = try await setup.signIn()
        let cookie = try #require(setup.browser.cookies.first { $0.name.contains("login") })
        let stranger = Browser(setup.idp)
        let own = try await setup.signIn("rp", as: "bob", with: stranger)
        let foreign = try #require(stranger.cookies.first { $0.name.contains("login") })
        let sid = try #require(cookie.value.split(separator: ".").first)
        let secret = try #require(foreign.value.split(separator: ".").last)
        for value in ["\(sid).\(secret)", "\(sid).", "\(sid)", "\(sid).\(sid)"] {
            stranger.put(
                Browser.Cookie(
                    name: cookie.name, value: value, path: cookie.path, isSecure: false, isHTTPOnly: true,
                    sameSite: nil, isPersistent: false))
            #expect(try await setup.logOut(["id_token_hint": tokens.id], with: stranger).asksWhetherToSignOut)
            #expect(try await setup.logOut(with: stranger).saysSignedOut)
        }
        #expect(try await setup.isSignedIn())
        #expect(try await setup.idp.isActive(tokens.access))
        #expect(try await setup.idp.isActive(own.access))
    }
}

/// ID tokens that somebody has tampered with.
enum Forged {
    private static func parts(_ token: String) -> [String] {
        token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }

    static func withoutSignature(_ token: String) -> String { parts(token).prefix(2).joined(separator: ".") + "." }

    static func withAlgorithmNone(_ token: String) -> String {
        Base64URL.encode(Array(#"{"alg":"none","typ":"JWT"}"#.utf8)) + "." + parts(token)[1] + "."
    }

    static func claims(of token: String) -> JSONObject {
        guard let bytes = try? Base64URL.decode(parts(token)[1]) else { return [:] }
        return (try? JSON(parsing: bytes.span))?.object ?? [:]
    }

    static func claiming(_ name: String, _ value: String, in token: String) -> String {
        var claims = claims(of: token)
        claims[name] = .string(value)
        let parts = parts(token)
        return [parts[0], Base64URL.encode(JSON.object(claims).serialised()), parts[2]].joined(separator: ".")
    }

    /// The same claims, signed with a secret.
    static func signing(_ token: String, with secret: Secret) throws -> String {
        let key = try SigningKey(JWK(.symmetric(secret)), algorithm: .hs256)
        return try JWTSigner(key: key, type: "JWT", namesKey: false).sign(claims(of: token))
    }
}

extension ProviderUnderTest {
    /// What another tenant of the same provider would have signed for a client of the same name and secret: its own
    /// issuer, and otherwise the very session that the browser has here.
    func tenantHint(like token: String, of client: String) async throws -> String {
        var claims = Forged.claims(of: token)
        claims["iss"] = .string(Self.issuer + "/t/other")
        let tenant = try await provider.tenant(#require(TenantName("other")))
        let key: SigningKey
        if client == "symmetric" {
            key = try SigningKey(JWK(.symmetric(Secret(utf8: LogoutSetup.secret))), algorithm: .hs256)
        } else {
            key = try #require(tenant.context.keyRing.state(at: clock.now()).keys.first).key
        }
        return try JWTSigner(key: key, type: "JWT", namesKey: client != "symmetric").sign(claims)
    }
}
