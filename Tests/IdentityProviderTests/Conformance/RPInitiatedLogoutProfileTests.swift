import JOSE
import OAuth
import Primitives
import Testing

/// The modules of the foundation's RP-initiated logout profile, `oidcc-rp-initiated-logout-` and the name of the test in
/// its own spelling.
@Suite struct RPInitiatedLogoutProfileTests {
    @Test func discoveryEndpointVerification() async throws {
        let rp = try await RelyingParty.start()
        let endpoint = try await rp.idp.discovered()["end_session_endpoint"]?.string
        #expect(endpoint?.hasPrefix(ProviderUnderTest.issuer + "/") == true)
    }

    /// The module that has no more name than the profile.
    @Test(arguments: [ConformanceProfile.basic, .dynamic])
    func rpInitiatedLogout(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        try await rp.expectReturn(await rp.requestLogout(await rp.signIn()))
    }

    /// Nothing is sent to an address that was not registered, and the user stays signed in.
    @Test func badPostLogoutRedirectUri() async throws {
        let rp = try await RelyingParty.start()
        let tokens = try await rp.signIn()
        for uri in ["https://client.example/elsewhere", "https://evil.example/", RelyingParty.postLogoutURI + "/"] {
            try await rp.expectNothingDone(await rp.requestLogout(tokens, ["post_logout_redirect_uri": uri]))
        }
    }

    @Test func queryAddedToPostLogoutRedirectUri() async throws {
        let rp = try await RelyingParty.start()
        let changed = ["post_logout_redirect_uri": RelyingParty.postLogoutURI + "?foo=bar"]
        try await rp.expectNothingDone(await rp.requestLogout(await rp.signIn(), changed))
    }

    /// The same claims, and a header that says that nobody signed them.
    @Test func modifiedIdTokenHint() async throws {
        let rp = try await RelyingParty.start()
        let tokens = try await rp.signIn()
        let parts = tokens.idToken.split(separator: ".")
        let header = Base64URL.encode(JSON.object(["alg": "none", "typ": "JWT"]).serialised())
        for hint in ["\(header).\(parts[1]).", "\(header).\(parts[1]).\(parts[2])"] {
            try await rp.expectNothingDone(await rp.requestLogout(tokens, ["id_token_hint": hint]))
        }
    }

    /// By a key that is not the provider's; and tokens of the provider that are no ID tokens of this client.
    @Test func badIdTokenHint() async throws {
        let rp = try await RelyingParty.start()
        let tokens = try await rp.signIn()
        let forged = try JWSSigner(key: .generate(.es256)).compact(JSON.object(tokens.claims.members).serialised())
        for hint in [forged, tokens.accessToken, "x", String(tokens.idToken.dropLast(4))] {
            try await rp.expectNothingDone(await rp.requestLogout(tokens, ["id_token_hint": hint]))
        }
    }

    /// Without a hint, the redirect is nobody's who is known.
    @Test func noIdTokenHint() async throws {
        let rp = try await RelyingParty.start()
        let page = try await rp.requestLogout(await rp.signIn(), ["id_token_hint": nil])
        try await rp.expectNothingDone(page)
    }

    /// With the name of the client in the place of the hint, the user is asked before he is sent back (OpenID Connect
    /// RP-Initiated Logout section 2).
    @Test func withTheNameOfTheClientTheUserIsAskedFirst() async throws {
        let rp = try await RelyingParty.start()
        let page = try await rp.requestLogout(await rp.signIn(), ["id_token_hint": nil, "client_id": rp.id])
        #expect(page.location == nil && page.status == 200)
        try await rp.expectSignedIn()
        try await rp.expectReturn(await rp.browser.submit(page, ["decision": "logout"]))
    }

    @Test func noParams() async throws {
        let rp = try await RelyingParty.start()
        let tokens = try await rp.signIn()
        try await rp.expectQuestion(
            await rp.requestLogout(tokens, ["id_token_hint": nil, "post_logout_redirect_uri": nil, "state": nil]))
    }

    @Test func onlyState() async throws {
        let rp = try await RelyingParty.start()
        let tokens = try await rp.signIn()
        try await rp.expectQuestion(
            await rp.requestLogout(tokens, ["id_token_hint": nil, "post_logout_redirect_uri": nil]))
    }

    @Test func noPostLogoutRedirectUri() async throws {
        let rp = try await RelyingParty.start()
        let page = try await rp.requestLogout(await rp.signIn(), ["post_logout_redirect_uri": nil])
        #expect(page.location == nil)
        #expect(page.status == 200 && page.isHTML)
        try await rp.expectSignedOut()
    }

    @Test func noState() async throws {
        let rp = try await RelyingParty.start()
        try await rp.expectReturn(await rp.requestLogout(await rp.signIn(), ["state": nil]), state: nil)
    }
}
