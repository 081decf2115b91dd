import HTTPMessages
import OAuth
import Observability
import Primitives

/// An OAuth 2.0 authorization server and OpenID provider: requests in, responses out, no sockets.
///
///     let provider = try IdentityProvider(
///         configuration: ProviderConfiguration(clients: .standard(), accessTokens: AccessTokenPolicy(algorithm: .es256)),
///         keyRing: keyRing, clock: clock, random: random, logger: .silent, metrics: MetricsRegistry())
///     let response = await provider.respond(to: request)
package final class IdentityProvider: RequestHandler {
    private let router: Router
    private let issuers: IssuerDirectory

    /// Composes the provider. A grant, a way of authentication or an endpoint is added here by one line, and advertises
    /// itself.
    package init(
        configuration: ProviderConfiguration, keyRing: KeyRing, clock: any WallClock, random: any RandomSource,
        logger: Logger, metrics: MetricsRegistry
    ) throws(ProviderConfigurationError) {
        try configuration.check()
        let policy = configuration.accessTokens
        guard keyRing.canSign(with: policy.algorithm) else { throw .noKey(policy.algorithm) }
        let tokens = AccessTokenIssuer(policy: policy, keyRing: keyRing, random: random)

        let grants: [any Grant] = [
            ClientCredentialsGrant(tokens: tokens)
        ]
        let authenticator = ClientAuthenticator(
            clients: configuration.clients,
            methods: [
                ClientSecretBasic(),
                ClientSecretPost(),
            ])
        let endpoints: [any Endpoint] = [
            TokenEndpoint(
                grants: grants, authenticator: authenticator, clock: clock, logger: logger,
                metrics: TokenMetrics(
                    registry: metrics, clients: configuration.clients, algorithm: policy.algorithm)),
            KeySetEndpoint(keyRing: keyRing, clock: clock),
        ]

        issuers = IssuerDirectory(configuration.issuer) { metadata in
            for endpoint in endpoints { endpoint.advertise(in: &metadata) }
        }
        router = Self.router(for: endpoints, of: configuration)
    }

    private static func router(for endpoints: [any Endpoint], of configuration: ProviderConfiguration) -> Router {
        var router = Router(CrossOrigin(policy: configuration.crossOrigin))
        let discovery = DiscoveryEndpoint()
        switch configuration.issuer {
        case .fixed(let issuer):
            for endpoint in endpoints { router.add(endpoint, at: [issuer.basePath + endpoint.path]) }
            router.add(discovery, at: issuer.metadataPaths)
        case .followsHost:
            for endpoint in endpoints { router.add(endpoint, at: [endpoint.path]) }
            router.add(discovery, at: Issuer.metadataNames)
        }
        return router
    }

    private static let serverOptions = CrossOrigin.optionsResponse(allowing: "GET, HEAD, POST, OPTIONS")

    package func respond(to request: ServerRequest) async -> ServerResponse {
        let route = router.route(for: request.head.path ?? "")
        var response = await answer(request, by: route)
        (route?.crossOrigin ?? router.crossOrigin).admitReader(of: &response, to: request)
        return response
    }

    private func answer(_ request: ServerRequest, by route: Router.Route?) async -> ServerResponse {
        let method = request.head.method
        guard let route else {
            // RFC 9110 section 9.3.7: `OPTIONS *` asks about the server as a whole.
            return request.head.path == "*" && method == .options ? Self.serverOptions : ErrorResponse.notFound
        }
        guard route.answers(method) else {
            return method == .options ? route.optionsResponse : route.methodNotAllowedResponse
        }
        do throws(OAuthError) {
            return await route.endpoint.respond(to: request, as: try issuers.issuer(for: request))
        } catch {
            return ErrorResponse.response(for: error)
        }
    }
}
