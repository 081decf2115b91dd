import HTTPMessages
import JOSE
import OAuth
import Primitives

/// Tells clients where everything is and what works: RFC 8414 section 3, OpenID Connect Discovery section 4.
///
/// Each part says in the document what it makes possible; here stands what no part has for itself.
struct DiscoveryEndpoint: Endpoint {
    static let location = "/.well-known/openid-configuration"

    let path = DiscoveryEndpoint.location
    let methods: [HTTPRequest.Method] = [.get]
    let isPublic = true
    let context: ProviderContext

    /// How long clients may keep the document. Short, because configurations change under test.
    static let maximumAge = Duration.seconds(300)

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        issuer.metadata.response(to: request)
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata.append(contentsOf: ClientMetadata.SubjectType.allCases.map(\.rawValue), to: .subjectTypesSupported)
        // OpenID Connect Discovery section 3 wants RS256 among them. A key comes into being with the first client that
        // registers for its algorithm.
        metadata.append(contentsOf: SignatureAlgorithm.allCases.map(\.name), to: .idTokenSigningAlgorithms)
        metadata.append("openid", to: .scopesSupported)
        metadata.append(contentsOf: StandardClaims.byScope.map(\.scope), to: .scopesSupported)
        metadata.append("offline_access", to: .scopesSupported)
        metadata.append(contentsOf: context.clients.knownScopes, to: .scopesSupported)
        metadata.append(contentsOf: claims, to: .claimsSupported)
        metadata.append("normal", to: .claimTypesSupported)
    }

    /// What tokens say by themselves, what the scopes stand for, and what the configuration knows of its users.
    private var claims: [String] {
        ["sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "sid"]
            + StandardClaims.byScope.flatMap(\.claims)
            + context.configuration.users.prefix(Self.maximumUserCount).flatMap(\.claims.names)
    }

    /// Users whose claims are looked at. Any that others have beyond these need not be told (OpenID Connect Discovery
    /// section 3: the list might not be exhaustive).
    private static let maximumUserCount = 100

    /// Says, after all the others, what the configuration wants to be said, whether it is so or not.
    func complete(_ metadata: inout ServerMetadata) { metadata.override(by: context.configuration.metadataOverrides) }
}
