import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Testing

/// What a client has after a user authorised it, without the pages where that happens.
struct AuthorisedTokens {
    let familyID: FamilyID
    let accessToken: String
    let refreshToken: String
    let idToken: String?
    /// As it was before it was used once.
    let spentRefreshToken: String
}

extension ProviderUnderTest {
    /// A provider with alice and bob, and clients that have been authorised by nobody yet:
    /// `app` and `other` are confidential, `spa` is public, `api` is a resource server, `service` acts for itself.
    static func withResources(
        _ more: [JSONObject] = [], users: [User]? = nil, outbound: any OutboundRequests = .none,
        batches: any Batching = NoBatching(),
        configure: (inout ProviderConfiguration) -> Void = { _ in }
    ) async throws -> ProviderUnderTest {
        var clients: [JSONObject] = [
            ["client_id": "app", "client_secret": "app-secret", "grant_types": ["refresh_token"]],
            ["client_id": "other", "client_secret": "other-secret", "grant_types": ["refresh_token"]],
            ["client_id": "spa", "grant_types": ["refresh_token"]],
            ["client_id": "api", "client_secret": "api-secret", "grant_types": []],
            ["client_id": "service", "client_secret": "secret", "grant_types": ["client_credentials"]],
            [
                "client_id": "blind", "client_secret": "blind-secret", "grant_types": ["refresh_token"],
                "access_token_format": "opaque",
            ],
            [
                "client_id": "pair", "client_secret": "pair-secret", "grant_types": ["refresh_token"],
                "subject_type": "pairwise",
            ],
        ]
        clients += more
        return try await ProviderUnderTest(
            clients: clients.map { try Client(json: $0, by: ClientMetadataRules(.configuration)) },
            users: users ?? StandardUsers.all(), outbound: outbound, batches: batches,
            configure: configure)
    }

    /// Lets a user authorise a client, and the client use its refresh token once.
    func authorise(
        _ client: String = "app", by user: String = "alice", scope: String = "openid", claims: String? = nil,
        authorization: String? = nil, lasting lifetime: Duration? = .seconds(86_400),
        loginID: LoginID? = nil, loginClaims: JSONObject = [:], actor: JSON? = nil
    ) async throws -> AuthorisedTokens {
        let now = context.clock.now()
        let terms = FamilyTerms(
            id: FamilyID(from: SystemRandom()), clientID: client, userID: user, scope: try Scope(parsing: scope),
            loginID: loginID, endsWithLogin: loginID != nil,
            authentication: Authentication(at: now, methods: ["pwd"], contextClass: "urn:pawl:acr:password"),
            claimsRequest: try claims.map { try ClaimsRequest(parsing: $0) }, loginClaims: loginClaims,
            actor: actor, began: now, expires: lifetime.map { now + $0 })
        var family = Family(terms)
        family.rotation.begin(at: family.terms.began)
        try await context.store.keep(family)
        let first = context.refreshTokens.token(of: terms.id, node: 1)
        let answer = await refresh(first, as: client)
        return AuthorisedTokens(
            familyID: terms.id, accessToken: try answer.text("access_token"),
            refreshToken: try answer.text("refresh_token"), idToken: answer.json?["id_token"]?.string,
            spentRefreshToken: first)
    }

    /// Every confidential client here has its name in its secret.
    func refresh(_ token: String, as client: String) async -> Answer {
        let form = "grant_type=refresh_token&refresh_token=\(token)"
        guard context.clients[client]?.secret != nil else { return await self.token(form + "&client_id=\(client)") }
        return await self.token(form, basic: basic(client))
    }

    func basic(_ client: String) -> String {
        context.clients[client]?.secret.map { secret in
            secret.value.withBytes { "\(client):" + String(decoding: $0, as: UTF8.self) }
        } ?? client
    }

    func userInfo(_ token: String, also fields: HTTPFields = [:]) async -> Answer {
        var fields = fields
        fields[.authorization] = "Bearer \(token)"
        return await get("/userinfo", fields)
    }

    func introspect(_ token: String, as client: String = "api", hint: String? = nil) async -> Answer {
        await self.token(
            "token=\(token)" + (hint.map { "&token_type_hint=\($0)" } ?? ""), basic: basic(client), path: "/introspect")
    }

    func revoke(_ token: String, as client: String = "app", hint: String? = nil) async -> Answer {
        let form = "token=\(token)" + (hint.map { "&token_type_hint=\($0)" } ?? "")
        guard context.clients[client]?.secret != nil else {
            return await self.token(form + "&client_id=\(client)", path: "/revoke")
        }
        return await self.token(form, basic: basic(client), path: "/revoke")
    }

    func isGood(_ token: String, as client: String = "api") async -> Bool? {
        await introspect(token, as: client).json?["active"]?.bool
    }
}
