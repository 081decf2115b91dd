import HTTPMessages
import OAuth
import Observability
import Primitives

/// A whole provider: the one at the root, or one below `/t/{name}` with keys, users, clients, clock and state of its own.
package final class Tenant: Sendable {
    /// `nil`: the one at the root.
    package let name: TenantName?
    package let context: ProviderContext
    private let router: Router
    let issuers: IssuerDirectory
    private let control: ControlAPI
    /// Those that faults, barriers and chosen answers may be for.
    package let endpointNames: EndpointNames
    /// Of the one at the root: makes the others.
    package let administration: TenantAdministration?
    private let cookieSessions: SessionDesk

    /// Composes the provider. A grant, a way of authentication or an endpoint is added here by one line, and advertises
    /// itself.
    init(
        name: TenantName?, context: ProviderContext, administration: TenantAdministration?,
        neighbours: @escaping @Sendable (inout OpenAPIDocument) -> Void
    ) {
        let configuration = context.configuration
        self.name = name
        self.context = context
        self.administration = administration
        let minter = TokenMinter(context: context)
        let grants: [any Grant] = [
            RefreshTokenGrant(context: context, minter: minter),
            ClientCredentialsGrant(minter: minter),
            DeviceCodeGrant(context: context, minter: minter),
            TokenExchangeGrant(context: context, minter: minter),
            JWTBearerGrant(context: context, minter: minter),
            PasswordGrant(context: context, minter: minter),
            AuthorizationCodeGrant(context: context, minter: minter),
        ]
        let authenticator = ClientAuthenticator(
            context: context,
            methods: [
                ClientSecretBasic(),
                ClientSecretPost(),
                ClientSecretJWT(),
                PrivateKeyJWT(),
                TrustedCertificate(),
                SelfSignedCertificate(),
                PublicClient(),
            ])
        let reader = AuthorizationRequestReader(
            context: context, sources: [PushedRequestSource(context: context), RequestObjectSource(context: context)])
        let desk = InteractionDesk(context: context, minter: minter)
        let cookieSessions = SessionDesk(context: context, minter: minter)
        self.cookieSessions = cookieSessions
        let endpoints: [any Endpoint] = [
            HomeEndpoint(desk: desk),
            AuthorizationEndpoint(desk: desk, reader: reader),
            ContinueEndpoint(desk: desk),
            LoginEndpoint(desk: desk),
            AccountEndpoint(desk: desk),
            ConsentEndpoint(desk: desk),
            LogoutEndpoint(desk: desk),
            PushedRequestEndpoint(context: context, authenticator: authenticator, reader: reader),
            TokenEndpoint(context: context, grants: grants, authenticator: authenticator),
            DeviceAuthorizationEndpoint(context: context, authenticator: authenticator),
            DeviceVerificationEndpoint(desk: desk),
            KeySetEndpoint(keyRing: context.keyRing, clock: context.clock),
            UserInfoEndpoint(context: context),
            IntrospectionEndpoint(context: context, authenticator: authenticator),
            RevocationEndpoint(context: context, authenticator: authenticator),
            RegistrationEndpoint(context: context, authenticator: authenticator),
            SessionEndpoint(desk: cookieSessions),
            SessionRefreshEndpoint(desk: cookieSessions),
            SessionForkEndpoint(desk: cookieSessions),
            SessionResourceEndpoint(desk: cookieSessions),
        ]
        let described = endpoints
        let discovery = DiscoveryEndpoint(context: context)
        issuers = IssuerDirectory(
            configuration.issuer, of: name, version: { context.descriptionVersion },
            ordinaryEntrance: { context.configuration.ordinaryEntrance },
            describedBy: { metadata in
                for endpoint in described + [discovery] { endpoint.advertise(in: &metadata) }
                MutualTLSAliases.advertise(by: context.configuration, in: &metadata)
            }, completedBy: discovery.complete)
        endpointNames = EndpointNames(paths: endpoints.map(\.path) + [discovery.path, OpenAPIEndpoint.location])
        let control = ControlAPI(
            Self.controlResources(of: name, context, administration, endpointNames),
            policy: configuration.control, issuer: configuration.issuer)
        self.control = control
        let document = OpenAPIEndpoint(version: { context.descriptionVersion }) { document in
            Self.describe(described + [discovery], control, in: &document)
            neighbours(&document)
        }
        router = Self.router(for: endpoints + [document], and: discovery, of: configuration)
    }

    private static func router(
        for endpoints: [any Endpoint], and discovery: DiscoveryEndpoint, of configuration: ProviderConfiguration
    ) -> Router {
        var router = Router(CrossOrigin(policy: configuration.crossOrigin))
        for endpoint in endpoints { router.add(endpoint, at: [endpoint.path]) }
        router.add(discovery, at: Issuer.metadataNames)
        return router
    }

    /// Whether there is something at this target. It is the same for every tenant.
    func owns(_ target: String) -> Bool { router.route(for: target) != nil || control.owns(target) }

    /// - Parameter target: path and query below the tenant's own path.
    func respond(to request: ServerRequest, target: String) async -> ServerResponse {
        let route = router.route(for: target)
        if route == nil, control.owns(target) { return await controlled(request, target) }
        let received = RequestRecord.Beginning(time: context.clock.now())
        // A browser asks ahead of a request of a page (Fetch section 4.8); what it asks is no step of what is tested.
        guard context.checkpoints.hasListeners, request.head.method != .options else {
            let response = await admittedAnswer(request, by: route, target: target)
            context.requests.record(
                request, target: target, response: response, from: received, to: context.clock.now())
            return response
        }
        return await context.checkpoints.watch(
            request, target: target, endpoint: route?.endpoint.path, codec: context.refreshTokens,
            cookieClient: cookieClient(of: request, to: route)
        ) {
            await admittedAnswer(request, by: route, target: target)
        } record: { response, passage in
            context.requests.record(
                request, target: target, response: response, from: received, to: context.clock.now(), passage: passage)
        }
    }

    /// Pages send no `client_id` with a session in cookies: the names of the cookies tell whose it is.
    private func cookieClient(of request: ServerRequest, to route: Router.Route?) -> String? {
        guard route?.endpoint is any SessionPath, let issuer = try? issuers.issuer(for: request) else { return nil }
        return cookieSessions.client(ofCookiesIn: request, at: issuer.issuer)
    }

    /// Part of whoever calls it, as ``ProviderContext/storing(_:)`` is.
    @inline(__always)
    private func admittedAnswer(
        _ request: ServerRequest, by route: Router.Route?, target: String
    ) async -> ServerResponse {
        var response = await answer(request, by: route, target: target)
        // RFC 9110 section 6.6.1: a client that learns our time from `Date` has to learn the one that we go by.
        if context.clock.isMoved { response.head.headerFields[.date] = context.clock.now().httpDate }
        if let route {
            route.endpoint.admitReader(of: &response, to: request, by: route.crossOrigin)
        } else {
            router.crossOrigin.admitReader(of: &response, to: request)
        }
        return response
    }

    /// For a request that is nobody's: answered as the others are, and recorded here.
    func refuse(_ request: ServerRequest, with response: ServerResponse) -> ServerResponse {
        var response = response
        router.crossOrigin.admitReader(of: &response, to: request)
        let now = context.clock.now()
        context.requests.record(
            request, target: request.head.path ?? "", response: response, from: RequestRecord.Beginning(time: now),
            to: now)
        return response
    }

    private func controlled(_ request: ServerRequest, _ target: String) async -> ServerResponse {
        var response =
            request.head.method == .options
            ? control.options(for: request, target: target)
            : await control.respond(to: request, target: target) { () throws(OAuthError) in
                try issuers.issuer(for: request)
            }
        ControlAPI.admitReader(of: &response, to: request)
        return response
    }

    /// Goes back to its configuration, as it was made with it or as it was read last, and forgets everything that has
    /// happened.
    package func reset() async throws(StoreError) { try await context.reset() }

    private static let serverOptions = CrossOrigin.optionsResponse(allowing: "GET, HEAD, POST, OPTIONS")

    /// Part of whoever calls it, as ``ProviderContext/storing(_:)`` is.
    @inline(__always)
    private func answer(_ request: ServerRequest, by route: Router.Route?, target: String) async -> ServerResponse {
        let method = request.head.method
        guard let route else {
            // RFC 9110 section 9.3.7: `OPTIONS *` asks about the server as a whole.
            return target == "*" && method == .options ? Self.serverOptions : ErrorResponse.notFound
        }
        guard route.answers(method) else {
            return method == .options ? route.optionsResponse : route.methodNotAllowedResponse
        }
        let replacement = context.overrides.replacement(
            at: route.endpoint.path,
            from: NamedClient.identifier(in: request, target: target, at: route.endpoint.path)
                ?? cookieClient(of: request, to: route))
        if let replacement, replacement.moment == .instead { return replacement.response }
        do throws(OAuthError) {
            var response = await route.endpoint.respond(to: request, as: try issuers.issuer(for: request))
            replacement?.apply(to: &response)
            return response
        } catch {
            return ErrorResponse.response(for: error)
        }
    }
}
