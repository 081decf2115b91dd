import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// The group Authorization endpoint of OAuch, as far as no other suite shows it already.
@Suite struct OAuchAuthorizationEndpointTests {
    /// Those that OAuch tries: other spellings that somebody's comparison, or somebody's browser, takes for the registered
    /// path.
    static let confused = [
        "/FAKEPATH", "%2FFAKEPATH", "/..%2FFAKEPATH", "/%2e%2e%2FFAKEPATH", "/..%252FFAKEPATH",
        "/%252e%252e%252FFAKEPATH", "/FAKEPATH/..", "%2FFAKEPATH%2F..", "%2FFAKEPATH%2F%2e%2e",
        "%252FFAKEPATH%252F..", "%252FFAKEPATH%252F%252e%252e", "/;/../../FAKEPATH", "/%3B/../../FAKEPATH",
        "%3B%2F..%2F..%2FFAKEPATH", "%3B%2F%2e%2e%2F%2F%2e%2eFAKEPATH", "%253B%252F..%252F..%252FFAKEPATH",
        "%0A%0D/../../FAKEPATH", "%0A%0D%2F..%2F..%2FFAKEPATH", "%250A%250D%252F..%252F..%252FFAKEPATH",
    ]

    /// RFC 9700 section 2.1: compared as they stand. As OAuch does it, the URI goes unencoded into the request.
    @Test(arguments: confused) func redirectUriConfusion(suffix: String) async throws {
        let rp = try await RelyingParty.start()
        let query = FormParameters(rp.query(["redirect_uri": nil])).encoded
        let raw = try await rp.browser.open("/authorize?\(query)&redirect_uri=\(RelyingParty.redirectURI)\(suffix)")
        rp.expectPageForUser(raw)
        rp.expectPageForUser(try await rp.authorize(["redirect_uri": RelyingParty.redirectURI + suffix]))
    }

    @Test(arguments: ["?added=1", "?", "/", "#", "#x", ".evil.example", "@evil.example"])
    func redirectUriFullyMatched(suffix: String) async throws {
        let rp = try await RelyingParty.start()
        rp.expectPageForUser(try await rp.authorize(["redirect_uri": RelyingParty.redirectURI + suffix]))
    }

    @Test(arguments: [
        "https://client.example/", "https://client.example/Callback", "https://client.example/callback/a",
    ])
    func redirectUriPathMatched(uri: String) async throws {
        let rp = try await RelyingParty.start()
        rp.expectPageForUser(try await rp.authorize(["redirect_uri": uri]))
    }

    /// With several it could be any (RFC 6749 section 3.1.2.3); with OpenID Connect it is REQUIRED with one too.
    @Test func redirectUriRequired() async throws {
        let two: JSONObject = ["redirect_uris": [.string(RelyingParty.redirectURI), "https://client.example/other"]]
        let rp = try await RelyingParty.start(metadata: two)
        for scope in ["openid", "read"] {
            rp.expectPageForUser(try await rp.authorize(["redirect_uri": nil, "scope": scope]))
        }
        let one = try await RelyingParty.start()
        rp.expectPageForUser(try await one.authorize(["redirect_uri": nil]))
    }

    /// Not automatically, and not after a login either.
    @Test func invalidRedirect() async throws {
        let rp = try await RelyingParty.start()
        _ = try await rp.signIn()
        for uri in ["https://evil.example/callback", "http://client.example/callback", "javascript:alert(1)"] {
            rp.expectPageForUser(try await rp.authorize(["redirect_uri": uri]))
        }
    }

    /// Nobody but the provider puts a code into the answer.
    @Test func codePollution() async throws {
        let rp = try await RelyingParty.start()
        let uri = RelyingParty.redirectURI + "?code=attackercode"
        rp.expectPageForUser(try await rp.authorize(["redirect_uri": uri]))
        let state = try await rp.logIn(rp.authorize(["state": "x&code=attackercode"]))
        #expect(state.location?.contains("&code=attackercode") == false)
        #expect(state.parameters["state"] == "x&code=attackercode")
    }

    /// RFC 9700 sections 4.1.3 and 4.2.4, RFC 6749 section 10.13.
    @Test func everyPageIsGuarded() async throws {
        let rp = try await RelyingParty.start()
        let pages = try await [
            rp.authorize(), rp.authorize(["redirect_uri": nil]), rp.authorize(["prompt": "consent"]),
        ]
        for page in pages {
            #expect(page.answer.field("X-Frame-Options") == "DENY")
            let policy = page.answer.field("Content-Security-Policy") ?? ""
            #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
            // Other sites learn nothing; pages of ours say `same-origin`, for a browser that hides the origin hides it from us too.
            #expect(["no-referrer", "same-origin"].contains(page.answer.field("Referrer-Policy")))
            #expect(page.answer.field("Cache-Control")?.contains("no-store") == true)
        }
        let redirect = try await rp.logIn(pages[0])
        #expect(redirect.location != nil && redirect.answer.field("Referrer-Policy") == "no-referrer")
    }

    /// OpenID Connect Core section 3.2.2.1: REQUIRED where the redirect carries an ID token.
    @Test(arguments: ["id_token", "id_token token", "code id_token"])
    func nonceRequired(type: String) async throws {
        let legacy: Set<LegacyFeature> = [.implicit, .hybrid]
        let idp = try await ProviderUnderTest(
            clients: StandardClients.all(), users: ConformanceUsers.all()
        ) { $0.legacy = legacy }
        let query = FormParameters([
            ("client_id", "service"), ("redirect_uri", "http://localhost/callback"), ("response_type", type),
            ("scope", "openid"), ("state", "s"),
        ])
        let page = try await Browser(idp).open("/authorize?" + query.encoded)
        #expect(page.location?.hasPrefix("http://localhost/callback#") == true)
        #expect(page.parameters["error"] == "invalid_request")
        #expect(page.parameters["id_token"] == nil && page.parameters["code"] == nil)
    }

    /// RFC 6749 section 4.1.2: the exact value, in answers of both sorts; none where none was sent.
    @Test func statePresent() async throws {
        let rp = try await RelyingParty.start()
        let page = try await rp.authorize(["state": nil, "response_type": "none"])
        #expect(page.parameters["error"] != nil && page.parameters["state"] == nil)
        let positive = try await rp.logIn(rp.authorize(["state": nil]))
        #expect(positive.parameters["code"] != nil && positive.parameters["state"] == nil)
        // With one, `RelyingParty` compares it in every answer.
        _ = try rp.error(of: await rp.authorize(["response_type": "none"]))
    }
}
