import HTTPMessages
import OAuth
import Observability
import Primitives

/// Gives tokens for grants (RFC 6749 section 3.2).
struct TokenEndpoint: Endpoint {
    static let location = "/token"

    let path = TokenEndpoint.location
    let methods: [HTTPRequest.Method] = [.post]
    let isPublic = false

    private let context: ProviderContext
    private let grants: [String: any Grant]
    private let grantTypes: [String]
    private let authenticator: ClientAuthenticator
    private let constraints: SenderConstraints
    private let metrics: TokenMetrics

    init(context: ProviderContext, grants: [any Grant], authenticator: ClientAuthenticator) {
        self.context = context
        self.grants = Dictionary(uniqueKeysWithValues: grants.map { ($0.type, $0) })
        grantTypes = grants.map(\.type)
        self.authenticator = authenticator
        constraints = SenderConstraints(context: context)
        metrics = TokenMetrics(registry: context.metrics)
    }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        let now = context.clock.now()
        let trace = FamilyTrace()
        do throws(OAuthError) {
            // RFC 8707 section 2 and RFC 8693 section 2.1 let these be there several times.
            let form = try ClientForm.parameters(of: request, repeatable: ["resource", "audience"])
            // First of all, so that whatever it is refused for, its record says which token it came with.
            if let token = form["refresh_token"].flatMap(context.refreshTokens.read) {
                trace.present(token.family, token.node)
            }
            // RFC 9449 section 8: who has to come again with a nonce comes with the same code, refresh token or assertion,
            // so that none of them may be spent before the proof is judged.
            let proof = try constraints.proof(of: request, to: path, of: issuer, at: now)
            let tokens = try await tokens(for: request, form, with: proof, as: issuer, at: now, trace)
            var response = ServerResponse(
                status: .ok, headerFields: ResponseFields.neverStored, body: .bytes(tokens.serialised()))
            constraints.announceNonce(on: &response, after: proof, at: now)
            trace.apply(to: &response)
            return response
        } catch {
            trace.refuse(error.cause ?? error.code.rawValue)
            report(error, to: request, trace)
            var response = ErrorResponse.response(for: error)
            constraints.announceNonce(on: &response, after: error, at: now)
            trace.apply(to: &response)
            return response
        }
    }

    /// Part of its caller, as ``ProviderContext/storing(_:)`` is.
    @inline(__always)
    private func tokens(
        for request: ServerRequest, _ form: FormParameters, with proof: DPoPProof?, as issuer: PreparedIssuer,
        at now: Timestamp, _ trace: FamilyTrace
    ) async throws(OAuthError) -> TokenResponse {
        guard let type = form["grant_type"] else {
            throw OAuthError(.invalidRequest, "grant_type is missing; \(offer)")
        }
        guard let grant = grants[type], grant.isOffered else {
            throw OAuthError(.unsupportedGrantType, "unsupported grant_type; \(offer)")
        }
        let question = ClientRequest(request, form: form, to: path, as: issuer, at: now, in: context)
        let client = try await authenticator.authenticate(question)
        guard client.mayUse(type) else {
            throw OAuthError(.unauthorizedClient, "this client may not use this grant", cause: "client \(client.id)")
        }
        let confirmation = try await constraints.confirmation(by: proof, of: request, for: client, at: now)
        let response = try await grant.answer(
            TokenRequest(
                client: client, form: form, issuer: issuer, now: now,
                asker: question.asker, confirmation: confirmation,
                override: context.overrides.next(at: path, for: client.id), trace: trace))
        metrics.countIssued(to: client, by: type)
        context.logger.info(
            "token.issued",
            [
                LogField("request", request.id), LogField("client", client.id), LogField("grant", type),
                LogField("kid", response.accessToken.keyID ?? "-"), LogField("jti", response.accessToken.identifier),
            ] + trace.fields)
        return response
    }

    var offeredTypes: [String] { grantTypes.filter { grants[$0]?.isOffered == true } }

    private var offer: String { "this provider offers \(offeredTypes.joined(separator: ", "))" }

    private func report(_ error: OAuthError, to request: ServerRequest, _ trace: FamilyTrace) {
        metrics.countRefused(error.code)
        context.logger.refused("token.refused", error, request, also: trace.fields)
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata[.tokenEndpoint] = .string(metadata.issuer.url(of: path))
        authenticator.advertise(in: &metadata, as: .tokenEndpointAuthenticationMethods)
        constraints.advertise(in: &metadata)
        for type in offeredTypes {
            metadata.append(type, to: .grantTypesSupported)
            grants[type]?.advertise(in: &metadata)
        }
    }
}
