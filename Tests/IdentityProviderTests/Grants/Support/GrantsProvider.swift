import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Testing

/// A provider with the standard users and clients for every grant, and short ways to ask it.
struct GrantsProvider {
    let idp: ProviderUnderTest

    static let api = "https://api.example"
    static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"
    static let exchangeGrant = "urn:ietf:params:oauth:grant-type:token-exchange"
    static let bearerGrant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    static let everyGrant: Set<String> = [
        "client_credentials", "refresh_token", "password", deviceGrant, exchangeGrant, bearerGrant,
    ]

    init(
        clients: [Client] = [], users: [User] = [], lifetime: Duration = .seconds(300),
        store: (any ProviderStore)? = nil, listener: (any CheckpointListener)? = nil,
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) async throws {
        idp = try await ProviderUnderTest(
            clients: StandardClients.all() + Self.clients() + clients, users: StandardUsers.all() + users,
            lifetime: lifetime, store: store, listener: listener, configure: configure)
    }

    /// `app` is public; `other` and `opaque` are confidential; `narrow` may have tokens for one audience and two scopes;
    /// `pair` knows users by subjects of its own; `idle` may use no grant.
    private static func clients() throws -> [Client] {
        [
            try client("app", secret: nil),
            try client("other"),
            try client("opaque") { $0.accessTokenFormat = .opaque },
            try client("narrow") {
                $0.accessTokenAudience = [api]
                $0.scopes = .listed(try Scope(parsing: "read write"))
            },
            try client("pair") { $0.subjectType = .pairwise },
            try client("idle") { $0.grants = [] },
        ]
    }

    static func client(
        _ id: String, secret: String? = "secret", change: (inout ClientMetadata) throws -> Void = { _ in }
    ) throws -> Client {
        var metadata = ClientMetadata()
        metadata.grants = everyGrant
        try change(&metadata)
        return try Client(id: id, secret: secret.map { Secret(utf8: $0) }, metadata: metadata)
    }

    var context: ProviderContext { idp.context }
    var clock: ManualClock { idp.clock }
    var now: Timestamp { idp.clock.now() }

    /// A token request. `client` is public when it has no colon.
    func token(_ parameters: [(String, String)], as client: String = "service:secret") async -> Answer {
        await post("/token", parameters, as: client)
    }

    func post(_ path: String, _ parameters: [(String, String)], as client: String) async -> Answer {
        let isPublic = !client.contains(":")
        let all = parameters + (isPublic && !client.isEmpty ? [("client_id", client)] : [])
        let form = FormParameters(all.map { (name: $0.0, value: $0.1) }).encoded
        return await idp.token(form, basic: isPublic ? nil : client, path: path)
    }

    func password(
        _ username: String = "alice", scope: String = "openid read write", as client: String = "service:secret",
        also: [(String, String)] = []
    ) async -> Answer {
        await token(
            [("grant_type", "password"), ("username", username), ("password", username), ("scope", scope)] + also,
            as: client)
    }

    func refresh(_ token: String, as client: String = "service:secret", also: [(String, String)] = []) async -> Answer {
        await self.token([("grant_type", "refresh_token"), ("refresh_token", token)] + also, as: client)
    }

    func isActive(_ accessToken: String) async throws -> Bool {
        let answer = await token(
            [
                ("grant_type", Self.exchangeGrant), ("subject_token", accessToken),
                ("subject_token_type", "urn:ietf:params:oauth:token-type:access_token"),
            ], as: "other:secret")
        return answer.status == 200
    }

    func claims(_ token: String, audience: String = ProviderUnderTest.issuer) async throws -> JWTClaims {
        try await idp.verified(token, audience: audience).claims
    }

    func idTokenClaims(_ token: String, audience: String = "service") async throws -> JWTClaims {
        let keys = VerificationKeySet(try JWKSet(parsing: await idp.get("/jwks.json").body.span))
        let policy = JWTPolicy(
            issuer: .exactly(ProviderUnderTest.issuer), audience: .oneOf([audience]), type: .exactly("JWT"))
        return try policy.verify(token, keys: keys, at: now).claims
    }

    /// The answer in short: `400 invalid_grant`.
    static func summary(_ answer: Answer) -> String { "\(answer.status) \(answer.error ?? "-")" }
}

extension GrantsProvider {
    /// Puts a login into the store, as a browser would begin one.
    func login(
        _ userID: String = "alice", named name: String? = nil, lasting: Duration = .seconds(3600)
    ) async throws -> Login {
        let login = Login(
            id: LoginID(name ?? "login-of-\(userID)"), userID: userID,
            authentication: Authentication(at: now, methods: ["pwd"]),
            expires: now + lasting)
        try await context.store.keep(login)
        return login
    }

    /// Puts a family into the store, as a code that was redeemed would begin it; gives its first refresh token.
    @discardableResult
    func family(
        client: String = "service", user: String = "alice", scope: String = "openid read write",
        resources: [String] = [], login: Login? = nil, confirmation: KeyConfirmation? = nil,
        lasting: Duration? = .seconds(3600)
    ) async throws -> (family: Family, refreshToken: String) {
        let terms = FamilyTerms(
            id: FamilyID(from: context.random), clientID: client, userID: user, scope: try Scope(parsing: scope),
            resources: resources, loginID: login?.id, endsWithLogin: login != nil,
            authentication: Authentication(at: now, methods: ["pwd"]), nonce: "n-1", confirmation: confirmation,
            began: now, expires: lasting.map { now + $0 })
        var family = Family(terms)
        family.rotation.begin(at: family.terms.began)
        try await context.store.keep(family)
        return (family, context.refreshTokens.token(of: family.id, node: 1))
    }
}
