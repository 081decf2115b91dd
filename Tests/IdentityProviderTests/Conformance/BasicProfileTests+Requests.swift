import HTTPMessages
import JOSE
import OAuth
import Primitives
import Testing

/// Modules about how a request is written and sent.
extension BasicProfileTests {
    /// RFC 6749 section 3.3: the order of scopes means nothing; nor does that of parameters.
    @Test(arguments: ConformanceProfile.all)
    func alternateHappyFlow(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let query = Array(rp.query(["scope": "email openid"]).reversed())
        let tokens = try await rp.redeem(rp.code(of: rp.logIn(rp.authorize(query))))
        #expect(try await rp.userInfo(tokens)["email"] == "alice@people.example")
    }

    @Test(arguments: ConformanceProfile.all)
    func ensureRequestWithUnknownParameterSucceeds(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        _ = try await rp.signIn(["extra": "foobar"])
    }

    /// RFC 6749 section 3.1.2.4: the user is told, and MUST NOT be sent there.
    @Test(arguments: ConformanceProfile.all)
    func ensureRegisteredRedirectUri(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        for uri in ["https://client.example/other", RelyingParty.redirectURI + "/", "https://evil.example/callback"] {
            rp.expectPageForUser(try await rp.authorize(["redirect_uri": uri]))
        }
    }

    /// OpenID Connect Core section 3.1.2.1: MUST support POST.
    @Test(arguments: ConformanceProfile.all)
    func ensurePostRequestSucceeds(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let page = try await rp.browser.post("/authorize", rp.query())
        _ = try await rp.redeem(rp.code(of: rp.logIn(page)))
        // And with single sign-on, although what another site posts comes without cookies.
        let second = try await rp.browser.post("/authorize", rp.query(["prompt": "none"]))
        _ = try await rp.redeem(rp.code(of: second))
    }

    // MARK: Request objects

    static let requestURI = "https://client.example/request.jwt"

    /// An object that nobody signed, as the foundation's suite makes it.
    private func unsigned(_ rp: RelyingParty) -> String {
        let claims = JSONObject.of(rp.query())
        let parts = [JSON.object(["alg": "none"]), .object(claims)].map { Base64URL.encode($0.serialised()) }
        return parts.joined(separator: ".") + "."
    }

    /// Processed, or refused by the error that says so; and never ignored. Here refused, as the metadata has it.
    @Test(arguments: ConformanceProfile.all)
    func unsignedRequestObjectSupportedCorrectlyOrRejectedAsUnsupported(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile)
        let algorithms = try await rp.idp.discovered()["request_object_signing_alg_values_supported"]?.array
        #expect(algorithms?.contains("none") != true)
        let page = try await rp.authorize(["request": unsigned(rp)])
        #expect(["invalid_request_object", "request_not_supported"].contains(try rp.error(of: page)))
    }

    @Test(arguments: ConformanceProfile.all)
    func requestUriUnsignedSupportedCorrectlyOrRejectedAsUnsupported(profile: ConformanceProfile) async throws {
        let rp = try await RelyingParty.start(profile, metadata: ["request_uris": [.string(Self.requestURI)]])
        rp.server.serve(text: unsigned(rp), at: Self.requestURI)
        let page = try await rp.authorize(["request_uri": Self.requestURI])
        #expect(["invalid_request_object", "request_uri_not_supported"].contains(try rp.error(of: page)))
    }

    /// The redirect URI of the object holds, and the one beside it is nothing. Signed, since unsigned ones are refused.
    @Test(arguments: ConformanceProfile.all)
    func ensureRequestObjectWithRedirectUri(profile: ConformanceProfile) async throws {
        let key = try SigningKey.generate(.es256)
        let rp = try await RelyingParty.start(profile, metadata: ["jwks": key.publicKeySet])
        let object = try rp.requestObject(rp.query(), signedBy: key)
        let page = try await rp.authorize(["request": object, "redirect_uri": "https://evil.example/callback"])
        _ = try await rp.redeem(rp.code(of: rp.logIn(page)))
        let bad = try rp.requestObject(rp.query(["redirect_uri": "https://evil.example/callback"]), signedBy: key)
        let refused = try await rp.authorize(["request": bad])
        #expect(refused.location?.hasPrefix("https://evil.example") != true)
        #expect(refused.form?.action.hasPrefix("https://evil.example") != true)
        #expect(refused.parameters["code"] == nil)
    }
}

extension RelyingParty {
    /// RFC 9101 section 4.
    func requestObject(
        _ parameters: Parameters, signedBy key: SigningKey, _ changes: JSONObject = [:]
    ) throws -> String {
        var claims = JSONObject.of(parameters)
        claims["iss"] = .string(id)
        claims["aud"] = .string(ProviderUnderTest.issuer)
        claims["exp"] = .number(JSONNumber(idp.clock.now().secondsSinceEpoch + 60))
        for (name, value) in changes { claims[name] = value == .null ? nil : value }
        return try JWSSigner(key: key).compact(JSON.object(claims).serialised())
    }
}

extension JSONObject {
    static func of(_ parameters: [(name: String, value: String)]) -> JSONObject {
        var object: JSONObject = [:]
        for (name, value) in parameters { object[name] = .string(value) }
        return object
    }
}
