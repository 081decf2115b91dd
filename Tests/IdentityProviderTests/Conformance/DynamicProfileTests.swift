import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// The modules that the foundation's Dynamic profile has besides those of Basic, `oidcc-` and the name of the test in its own
/// spelling. As there, the client proves itself by a key.
@Suite struct DynamicProfileTests {
    static let profile = ConformanceProfile.dynamicWithKey

    // MARK: Signatures

    @Test func idtokenRs256() async throws {
        let rp = try await RelyingParty.start(Self.profile, metadata: ["id_token_signed_response_alg": "RS256"])
        #expect(try await rp.signIn().header.algorithmName == "RS256")
        // OpenID Connect Registration section 2: left out, it is RS256 too.
        let silent = await rp.idp.register(["redirect_uris": [.string(RelyingParty.redirectURI)]])
        #expect(silent.json?["id_token_signed_response_alg"] == "RS256")
    }

    @Test func userinfoRs256() async throws {
        let rp = try await RelyingParty.start(Self.profile, metadata: ["userinfo_signed_response_alg": "RS256"])
        let tokens = try await rp.signIn()
        let answer = await rp.requestUserInfo(tokens.accessToken)
        #expect(answer.status == 200)
        #expect(answer.field("Content-Type") == "application/jwt")
        let signed = try await rp.verified(
            String(decoding: answer.body, as: UTF8.self), type: .unchecked, requiring: ["iss", "aud"])
        #expect(signed.algorithm == .rs256)
        #expect(signed.claims["sub"] == tokens.claims["sub"])
    }

    @Test func serverRotateKeys() async throws {
        let rp = try await RelyingParty.start(Self.profile)
        let tokens = try await rp.signIn()
        let before = try JWKSet(parsing: await rp.idp.get("/jwks.json").body.span).keys.compactMap(\.keyID)
        rp.idp.clock.advance(by: .seconds(1))
        try rp.idp.keyRing.rotate(to: .generate(.es256), at: rp.idp.clock.now())
        let after = try JWKSet(parsing: await rp.idp.get("/jwks.json").body.span).keys.compactMap(\.keyID)
        #expect(Set(before).isSubset(of: after) && after.count == before.count + 1)
        #expect(try await rp.redeem(rp.code(of: rp.authorize())).header.keyID != tokens.header.keyID)
        // What the old key has signed is good as long as it says.
        _ = try await rp.verified(tokens.idToken)
    }

    // MARK: Redirect URIs

    /// OpenID Connect Core section 3.1.2.1: REQUIRED, even where one alone is registered.
    @Test func ensureRedirectUriInAuthorizationRequest() async throws {
        let rp = try await RelyingParty.start(Self.profile)
        rp.expectPageForUser(try await rp.authorize(["redirect_uri": nil]))
    }

    private func startWithQuery() async throws -> RelyingParty {
        try await RelyingParty.start(
            Self.profile, metadata: ["redirect_uris": [.string(RelyingParty.redirectURI + "?foo=bar")]])
    }

    @Test func redirectUriQueryOK() async throws {
        let rp = try await startWithQuery()
        let uri = RelyingParty.redirectURI + "?foo=bar"
        let page = try await rp.logIn(rp.authorize(["redirect_uri": uri]))
        #expect(page.location?.hasPrefix(uri + "&") == true)
        #expect(page.parameters["foo"] == "bar")
        let answer = try await rp.exchange(try #require(page.parameters["code"]), ["redirect_uri": uri])
        _ = try await rp.tokens(in: answer, nonce: RelyingParty.nonce)
    }

    @Test(arguments: ["?foo=baz", "?foo=Bar", "?foo=", ""])
    func redirectUriQueryMismatch(query: String) async throws {
        let rp = try await startWithQuery()
        rp.expectPageForUser(try await rp.authorize(["redirect_uri": RelyingParty.redirectURI + query]))
    }

    @Test func redirectUriQueryAdded() async throws {
        let rp = try await RelyingParty.start(Self.profile)
        rp.expectPageForUser(try await rp.authorize(["redirect_uri": RelyingParty.redirectURI + "?foo=bar"]))
    }

    @Test func redirectUriRegfrag() async throws {
        let idp = try await RelyingParty.start(Self.profile).idp
        let answer = await idp.register(["redirect_uris": [.string(RelyingParty.redirectURI + "#foobar")]])
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_redirect_uri")
    }

    // MARK: What is registered

    private static let pages: JSONObject = [
        "logo_uri": "https://client.example/logo.png", "policy_uri": "https://client.example/policy",
        "tos_uri": "https://client.example/terms",
    ]

    /// It is kept and given back. It is not shown: a page where passwords are typed loads nothing from other servers.
    @Test func registrationLogoUri() async throws {
        let rp = try await RelyingParty.start(Self.profile, metadata: Self.pages)
        #expect(rp.registration["logo_uri"] == Self.pages["logo_uri"])
        let page = try await rp.expectingLogin(rp.authorize())
        #expect(!page.text.contains("<img"))
    }

    @Test func registrationPolicyUri() async throws { try await expectLink("policy_uri") }

    @Test func registrationTosUri() async throws { try await expectLink("tos_uri") }

    private func expectLink(_ member: String) async throws {
        let rp = try await RelyingParty.start(Self.profile, metadata: Self.pages)
        let page = try await rp.expectingLogin(rp.authorize())
        let url = try #require(Self.pages[member]?.string)
        #expect(page.text.contains("href=\"\(url)\""))
        _ = try await rp.redeem(rp.code(of: rp.logIn(page)))
    }

    static let keysURI = "https://client.example/jwks.json"

    @Test func registrationJwksUri() async throws {
        let server = RelyingPartyServer()
        let key = try SigningKey.generate(.es256)
        server.serve(key.publicKeySet, at: Self.keysURI)
        let rp = try await RelyingParty.start(
            Self.profile, metadata: ["jwks_uri": .string(Self.keysURI)], server: server, key: key)
        _ = try await rp.signIn()
    }

    /// OpenID Connect Core section 10.1.1: a client changes its keys by publishing others.
    @Test func refreshTokenRpKeyRotation() async throws {
        let server = RelyingPartyServer()
        let first = try SigningKey.generate(.es256)
        server.serve(first.publicKeySet, at: Self.keysURI)
        var rp = try await RelyingParty.start(
            Self.profile, metadata: ["jwks_uri": .string(Self.keysURI)], server: server, key: first)
        let tokens = try await rp.signIn()
        let second = try SigningKey.generate(.es256)
        server.serve(second.publicKeySet, at: Self.keysURI)
        rp.key = second
        // The set is not asked for more often than every ten seconds.
        rp.idp.clock.advance(by: .seconds(10))
        let refresh = try #require(tokens.refreshToken)
        let refreshed = try await rp.tokens(in: await rp.refresh(refresh), nonce: nil)
        rp.key = first
        let refused = try await rp.refresh(try #require(refreshed.refreshToken))
        #expect(refused.status == 401)
        #expect(refused.error == "invalid_client")
    }

    /// RFC 7523 section 3: the issuer is a name of the provider.
    @Test func ensureClientAssertionWithIssAudSucceeds() async throws {
        let rp = try await RelyingParty.start(Self.profile)
        let code = try await rp.code()
        let answer = try await rp.exchange(code, ["client_assertion": rp.assertion(for: ProviderUnderTest.issuer)])
        _ = try await rp.tokens(in: answer, nonce: RelyingParty.nonce)
    }

    // MARK: Sectors

    static let sectorURI = "https://client.example/redirect_uris.json"

    @Test func registrationSectorUri() async throws {
        let server = RelyingPartyServer()
        server.serve([.string(RelyingParty.redirectURI)], at: Self.sectorURI)
        let rp = try await RelyingParty.start(
            Self.profile,
            metadata: ["subject_type": "pairwise", "sector_identifier_uri": .string(Self.sectorURI)], server: server)
        let tokens = try await rp.signIn()
        #expect(tokens.claims.subject != "alice")
        _ = try await rp.userInfo(tokens)
    }

    @Test func registrationSectorBad() async throws {
        let server = RelyingPartyServer()
        server.serve(["https://client.example/another"], at: Self.sectorURI)
        let idp = try await RelyingParty.start(Self.profile, server: server).idp
        let answer = await idp.register([
            "redirect_uris": [.string(RelyingParty.redirectURI)], "subject_type": "pairwise",
            "sector_identifier_uri": .string(Self.sectorURI),
        ])
        #expect(answer.status == 400)
        #expect(answer.field("Content-Type") == "application/json")
        #expect(["invalid_client_metadata", "invalid_redirect_uri"].contains(answer.error))
    }

    // MARK: Request objects by reference

    static let requestURI = "https://client.example/request.jwt"

    /// An object that nobody signed is refused, by reference too; the metadata says so.
    @Test func requestUriUnsigned() async throws {
        let rp = try await RelyingParty.start(Self.profile, metadata: ["request_uris": [.string(Self.requestURI)]])
        let parts = [JSON.object(["alg": "none"]), .object(JSONObject.of(rp.query()))]
        rp.server.serve(
            text: parts.map { Base64URL.encode($0.serialised()) }.joined(separator: ".") + ".", at: Self.requestURI)
        let page = try await rp.authorize(["request_uri": Self.requestURI])
        #expect(try rp.error(of: page) == "invalid_request_object")
    }

    @Test func requestUriSignedRs256() async throws {
        let key = try SigningKey.generate(.rs256)
        let rp = try await RelyingParty.start(
            Self.profile,
            metadata: ["request_uris": [.string(Self.requestURI)], "request_object_signing_alg": "RS256"], key: key)
        let object = try rp.requestObject(rp.query(), signedBy: key)
        rp.server.serve(text: object, at: Self.requestURI)
        let page = try await rp.authorize([("client_id", rp.id), ("request_uri", Self.requestURI)])
        _ = try await rp.redeem(rp.code(of: rp.logIn(page)))
    }

    // MARK: What a client would notice

    /// The provider as others want it to be, to see what a client makes of it: the modules for relying parties
    /// `refresh-token-invalid-issuer` and `refresh-token-invalid-sub`.
    @Test(arguments: ["iss", "sub"]) func refreshTokenInvalid(claim: String) async throws {
        let rp = try await RelyingParty.start()
        let tokens = try await rp.signIn()
        let answer = try await rp.refreshed(tokens, overriding: [claim: "https://other.example"])
        let token = try UnverifiedJWS(compact: answer.text("id_token"))
        let claims = try JSON(parsing: token.unverifiedPayload.span)
        #expect(claims[claim] == "https://other.example")
        let others = ["iss", "sub", "aud"].filter { $0 != claim }
        for other in others { #expect(claims[other] == tokens.claims[other]) }
    }
}
