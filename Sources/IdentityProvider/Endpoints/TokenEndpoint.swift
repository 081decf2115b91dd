import HTTPMessages
import OAuth
import Observability
import Primitives

/// Gives tokens for grants (RFC 6749 section 3.2).
struct TokenEndpoint: Endpoint {
    let path = "/token"
    let methods: [HTTPRequest.Method] = [.post]
    let isPublic = false

    private let grants: [String: any Grant]
    private let grantTypes: [String]
    private let authenticator: ClientAuthenticator
    private let clock: any WallClock
    private let logger: Logger
    private let metrics: TokenMetrics

    init(
        grants: [any Grant], authenticator: ClientAuthenticator, clock: any WallClock, logger: Logger,
        metrics: TokenMetrics
    ) {
        self.grants = Dictionary(uniqueKeysWithValues: grants.map { ($0.type, $0) })
        grantTypes = grants.map(\.type)
        self.authenticator = authenticator
        self.clock = clock
        self.logger = logger
        self.metrics = metrics
    }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        do throws(OAuthError) {
            let response = try await response(to: request, as: issuer)
            return ServerResponse(
                status: .ok, headerFields: ResponseFields.neverStored, body: .bytes(response.serialised()))
        } catch {
            report(error, to: request)
            return ErrorResponse.response(for: error)
        }
    }

    private func response(to request: ServerRequest, as issuer: PreparedIssuer) async throws(OAuthError)
        -> TokenResponse
    {
        let form = try TokenRequestForm.parameters(of: request)
        guard let type = form["grant_type"] else {
            throw OAuthError(.invalidRequest, "grant_type is missing; \(offer)")
        }
        guard let grant = grants[type] else {
            throw OAuthError(.unsupportedGrantType, "unsupported grant_type; \(offer)")
        }
        let client = try authenticator.authenticate(
            ClientRequest(authorization: request.head.headerFields[.authorization], form: form))
        guard client.grants.contains(type) else {
            throw OAuthError(.unauthorizedClient, "this client may not use this grant", cause: "client \(client.id)")
        }
        let response = try await grant.answer(
            TokenRequest(client: client, form: form, issuer: issuer, now: clock.now()))
        metrics.countIssued(to: client)
        logger.info(
            "token.issued",
            [
                LogField("request", request.id), LogField("client", client.id),
                LogField("kid", response.accessToken.keyID), LogField("jti", response.accessToken.identifier),
            ])
        return response
    }

    private var offer: String { "this provider offers \(grantTypes.joined(separator: ", "))" }

    private func report(_ error: OAuthError, to request: ServerRequest) {
        metrics.countRefused(error.code)
        logger.log(
            error.code.status >= 500 ? .error : .info, "token.refused",
            [
                LogField("request", request.id), LogField("error", error.code.rawValue),
                LogField("reason", error.cause ?? error.publicDescription),
            ])
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata[.tokenEndpoint] = .string(metadata.issuer.url(of: path))
        authenticator.advertise(in: &metadata)
        // Every client is told the same subject, which is what "public" means (OpenID Connect Core section 8).
        metadata.append("public", to: .subjectTypesSupported)
        for type in grantTypes {
            metadata.append(type, to: .grantTypesSupported)
            grants[type]?.advertise(in: &metadata)
        }
        for scope in authenticator.clients.knownScopes { metadata.append(scope, to: .scopesSupported) }
    }
}
