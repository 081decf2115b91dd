import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// A provider where everything can be tried at once: legacy features are on, and alice, of whom everything is known, is
/// logged in without a question.
struct DiscoveryLab {
    let idp: ProviderUnderTest

    static let redirect = "https://app.example/callback"

    init(legacy: Set<LegacyFeature> = Set(LegacyFeature.allCases)) async throws {
        idp = try await ProviderUnderTest(
            clients: [
                Client(
                    json: ["client_id": "api", "client_secret": "api-secret", "grant_types": []],
                    by: ClientMetadataRules(.configuration))
            ],
            users: [Self.alice()]
        ) {
            $0.legacy = legacy
            $0.allowances = [.automaticLogin]
        }
    }

    private static func alice() throws -> User {
        var claims: JSONObject = ["groups": ["staff"]]
        for (_, names) in standardClaims { for name in names { claims[name] = .string("of alice") } }
        return try User(username: "alice", claims: claims)
    }

    /// OpenID Connect Core section 5.4.
    static let standardClaims: [(scope: String, claims: [String])] = [
        (
            "profile",
            [
                "name", "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile",
                "picture",
                "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at",
            ]
        ),
        ("email", ["email", "email_verified"]), ("address", ["address"]),
        ("phone", ["phone_number", "phone_number_verified"]),
    ]

    func document() async throws -> JSONObject {
        try #require(await idp.get("/.well-known/openid-configuration").json?.object)
    }

    // MARK: Clients

    private static let registration: JSONObject = [
        "redirect_uris": [.string(redirect)], "grant_types": ["authorization_code", "refresh_token"],
        "id_token_signed_response_alg": "ES256",
    ]

    func registers(_ change: JSONObject) async -> Bool {
        await idp.register(Self.registration, also: change).status == 201
    }

    /// A client that has registered itself, and to which alice has agreed.
    func client(_ change: JSONObject = [:]) async throws -> RegisteredClient {
        let client = try RegisteredClient(await idp.register(Self.registration, also: change))
        let scopes = try await document()["scopes_supported"]?.array?.compactMap(\.string) ?? []
        let scope = try Scope(parsing: scopes.joined(separator: " "))
        try await idp.context.store.rememberConsent(scope, of: scope, by: "alice", to: client.id, for: [])
        return client
    }

    // MARK: Authorization

    /// What comes back to the client from an authorization request.
    func authorise(_ client: RegisteredClient, _ change: [String: String?] = [:]) async throws -> [String: String] {
        let answer = await request(client, change)
        let location = try #require(
            answer.field("Location"), "\(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        try #require(location.hasPrefix(Self.redirect), "\(location)")
        let parameters = location.dropFirst(Self.redirect.count + 1)
        let form = try FormParameters(parsing: Array(parameters.utf8).span)
        return Dictionary(form.map { ($0.name, $0.value) }) { first, _ in first }
    }

    func request(_ client: RegisteredClient, _ change: [String: String?] = [:]) async -> Answer {
        var parameters: [String: String?] = [
            "client_id": client.id, "response_type": "code", "redirect_uri": Self.redirect, "scope": "openid",
            "state": "s", "nonce": "n",
        ]
        for (name, value) in change { parameters[name] = value }
        let pairs = parameters.compactMap { name, value in value.map { (name: name, value: $0) } }
        return await idp.get("/authorize?" + FormParameters(pairs).encoded)
    }

    /// The whole way to tokens.
    func tokens(_ client: RegisteredClient, _ change: [String: String?] = [:]) async throws -> JSONObject {
        let answer = try await authorise(client, change)
        return try await tokens(client, code: try #require(answer["code"], "\(answer)"))
    }

    func tokens(_ client: RegisteredClient, code: String, also more: String = "") async throws -> JSONObject {
        let redirect = FormParameters([("redirect_uri", Self.redirect)]).encoded
        let answer = await idp.token(
            "grant_type=authorization_code&code=\(code)&\(redirect)" + more,
            basic: "\(client.id):\(client.secret ?? "")")
        return try #require(answer.json?.object)
    }

    // MARK: Tokens

    /// What a token says that one of the published keys has signed, or the secret of the client.
    func verified(_ token: String, for client: RegisteredClient) async throws -> VerifiedJWT {
        let policy = JWTPolicy(
            issuer: .exactly(ProviderUnderTest.issuer), audience: .oneOf([client.id]), requiredClaims: ["sub"])
        let header = try UnverifiedJWS(compact: token).header
        if let algorithm = header.algorithm, algorithm.isSymmetric {
            let key = JWK(.symmetric(Secret(utf8: try #require(client.secret))))
            let keys = VerificationKeySet([try VerificationKey(key, algorithm: algorithm)])
            return try policy.verify(token, keys: keys, at: idp.clock.now())
        }
        let keys = VerificationKeySet(try JWKSet(parsing: await idp.get("/jwks.json").body.span))
        return try policy.verify(token, keys: keys, at: idp.clock.now())
    }

    func userInfo(_ tokens: JSONObject) async throws -> Answer {
        await idp.userInfo(try #require(tokens["access_token"]?.string, "\(JSON.object(tokens).text())"))
    }
}
