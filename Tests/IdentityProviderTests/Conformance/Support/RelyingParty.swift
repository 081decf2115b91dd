import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// A relying party as strict as the foundation's, and its user with a browser. It checks in every answer what its standard
/// says of all answers of that sort, so that a test has only to say what is particular to it.
struct RelyingParty {
    let idp: ProviderUnderTest
    let profile: ConformanceProfile
    let browser: Browser
    let server: RelyingPartyServer
    let id: String
    let secret: String?
    /// For `private_key_jwt`; changed by a client that changes its keys.
    var key: SigningKey?
    /// What the registration endpoint answered.
    var registration: JSONObject = [:]

    static let redirectURI = "https://client.example/callback"
    static let postLogoutURI = "https://client.example/goodbye"
    /// 128 characters, with all that could be damaged on the way.
    static let state = String(
        String(repeating: "state-._~ +&=%/?#:@!$'()*,;[]{}|\\^`\"<>", count: 4).prefix(128))
    static let nonce = "n-0S6_WzA2Mj&=+ %"

    /// A provider with one client that has registered, or that stands in the configuration.
    static func start(
        _ profile: ConformanceProfile = .basic, metadata: JSONObject = [:],
        server: RelyingPartyServer = RelyingPartyServer(),
        key: SigningKey? = nil, configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) async throws -> RelyingParty {
        let idp = try await ProviderUnderTest(
            clients: [], users: ConformanceUsers.all(), outbound: server, configure: configure)
        return try await join(idp, profile, metadata: metadata, server: server, key: key)
    }

    /// One more client of the same provider, whose user has a browser of his own.
    static func join(
        _ idp: ProviderUnderTest, _ profile: ConformanceProfile, id: String = "rp", metadata: JSONObject = [:],
        server: RelyingPartyServer = RelyingPartyServer(), key: SigningKey? = nil
    ) async throws -> RelyingParty {
        let key = profile.authenticationMethod == "private_key_jwt" ? try key ?? .generate(.es256) : key
        var json: JSONObject = [
            "client_name": "Conformance", "redirect_uris": [.string(redirectURI)],
            "post_logout_redirect_uris": [.string(postLogoutURI)],
            "grant_types": ["authorization_code", "refresh_token"], "response_types": ["code"],
            "token_endpoint_auth_method": .string(profile.authenticationMethod),
            "id_token_signed_response_alg": "ES256",
        ]
        if let key, metadata["jwks_uri"] == nil { json["jwks"] = key.publicKeySet }
        for (name, value) in metadata { json[name] = value == .null ? nil : value }
        guard profile.isDynamic else {
            json["client_id"] = .string(id)
            let isConfidential = profile.authenticationMethod != "none"
            let secret = key == nil && isConfidential ? "secret of \(id), +%:&" : nil
            if let secret { json["client_secret"] = .string(secret) }
            try idp.context.clients.add(Client(json: json, by: ClientMetadataRules(.configuration)))
            return RelyingParty(
                idp: idp, profile: profile, browser: Browser(idp), server: server, id: id, secret: secret, key: key)
        }
        let answer = await idp.register(json)
        #expect(answer.status == 201, "\(answer.errorDescription)")
        #expect(answer.field("Content-Type") == "application/json")
        #expect(answer.field("Cache-Control") == "no-store")
        let registered = try #require(answer.json?.object)
        // OpenID Connect Registration section 3.2: all that was registered comes back.
        for (name, value) in json { #expect(registered[name] == value, "\(name)") }
        #expect((registered["client_secret"] == nil) == (registered["client_secret_expires_at"] == nil))
        let id = try answer.text("client_id")
        // The suite's users have agreed; that they are asked is for the tests of registration to show.
        let scope = try Scope(parsing: "openid profile email address phone offline_access")
        for user in ["alice", "bob"] {
            try await idp.context.store.rememberConsent(scope, of: scope, by: user, to: id, for: [])
        }
        return RelyingParty(
            idp: idp, profile: profile, browser: Browser(idp), server: server, id: id,
            secret: registered["client_secret"]?.string, key: key, registration: registered)
    }
}

extension ProviderUnderTest {
    func register(_ metadata: JSONObject) async -> Answer {
        await respond(
            .post, "/register", [.contentType: "application/json"], body: JSON.object(metadata).serialised())
    }

    /// What the provider says of itself.
    func discovered() async throws -> JSONObject {
        try #require(await get("/.well-known/openid-configuration").json?.object)
    }
}

extension SigningKey {
    /// As a client publishes it.
    var publicKeySet: JSON { JWKSet([publicJWK ?? jwk]).json(.publicOnly) }
}
