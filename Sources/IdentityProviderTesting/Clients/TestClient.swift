import IdentityProvider
import OAuth
import Primitives

/// An application that asks the provider for tokens.
///
///     try await idp.clients.add(.publicApp("app", redirectURI: "http://127.0.0.1/callback"))
///     try await idp.clients.add(.confidential("backend", secret: "s3cret"))
public struct TestClient: Hashable, Sendable {
    /// `client_id`.
    public var id: String
    /// `nil`: a public client.
    public var secret: String?
    /// Where answers to authorization requests may go. Of this machine, every port.
    public var redirectURIs: [String]
    /// The values of `grant_type` that it may use.
    public var grantTypes: [String]
    /// The scopes that it may ask for; `nil`: any.
    public var scope: String?
    /// Whether access tokens mean nothing to others, instead of being JWTs (RFC 9068).
    public var usesOpaqueAccessTokens = false
    /// How long its access tokens are good; `nil`: as long as those of all.
    public var accessTokenLifetime: Duration?
    /// Claims that each of its tokens has.
    public var claims: [String: JSONValue] = [:]
    /// `nil`: it has no sessions in cookies.
    public var cookieSession: TestCookieSession?
    /// Any other metadata, by the names of RFC 7591 section 2.
    public var metadata: [String: JSONValue] = [:]

    /// A client of any kind.
    ///
    ///     var client = TestClient("reports", secret: "s3cret", grantTypes: ["client_credentials"])
    ///     client.scope = "reports:read"
    ///     client.metadata["token_endpoint_auth_method"] = "client_secret_post"
    public init(_ id: String, secret: String? = nil, redirectURIs: [String] = [], grantTypes: [String]) {
        self.id = id
        self.secret = secret
        self.redirectURIs = redirectURIs
        self.grantTypes = grantTypes
    }

    /// An app on a phone, a desk or in a browser, which has no secret: codes with PKCE, refresh tokens, devices.
    ///
    ///     let app = TestClient.publicApp("app", redirectURI: "com.example.app:/callback")
    public static func publicApp(_ id: String = "app", redirectURI: String) -> TestClient {
        TestClient(
            id, redirectURIs: [redirectURI],
            grantTypes: [
                "authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code",
            ])
    }

    /// A server, which has a secret: it asks on its own behalf, and with a redirect URI for users too.
    ///
    ///     let backend = TestClient.confidential("backend", secret: "s3cret")
    public static func confidential(
        _ id: String = "backend", secret: String, redirectURI: String? = nil
    ) -> TestClient {
        TestClient(
            id, secret: secret, redirectURIs: redirectURI.map { [$0] } ?? [],
            grantTypes: ["client_credentials", "refresh_token"] + (redirectURI == nil ? [] : ["authorization_code"]))
    }
}

extension TestClient {
    func client(legacy: Set<LegacyFeature>) throws(IdentityProviderTestingError) -> Client {
        var json = JSONObject(metadata)
        json["client_id"] = .string(id)
        json["client_secret"] = secret.map { .string($0) }
        if !redirectURIs.isEmpty { json["redirect_uris"] = .array(redirectURIs.map { .string($0) }) }
        json["grant_types"] = .array(grantTypes.map { .string($0) })
        if let scope { json["scope"] = .string(scope) }
        if usesOpaqueAccessTokens { json["access_token_format"] = "opaque" }
        if let accessTokenLifetime {
            json["access_token_lifetime"] = .number(JSONNumber(accessTokenLifetime.inSeconds))
        }
        if !claims.isEmpty { json["claims"] = .object(JSONObject(claims)) }
        if let cookieSession { json["cookie_session"] = cookieSession.json }
        do {
            return try Client(json: json, by: ClientMetadataRules(.configuration, legacy: legacy))
        } catch {
            throw IdentityProviderTestingError(.badClient, error.description)
        }
    }
}
