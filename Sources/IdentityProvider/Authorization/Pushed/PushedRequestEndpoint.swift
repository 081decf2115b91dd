import HTTPMessages
import OAuth
import Observability
import Primitives

/// Takes authorization requests from clients themselves, before the user's browser comes (RFC 9126 section 2): nobody on
/// the way can change them, and the client has proven itself.
struct PushedRequestEndpoint: Endpoint {
    let path = "/par"
    let methods: [HTTPRequest.Method] = [.post]
    let isPublic = false

    let context: ProviderContext
    let authenticator: ClientAuthenticator
    /// Judges a request as the authorization endpoint would.
    let reader: AuthorizationRequestReader

    private var constraints: SenderConstraints { SenderConstraints(context: context) }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        let now = context.clock.now()
        do throws(OAuthError) {
            let proof = try constraints.proof(of: request, to: path, of: issuer, at: now)
            var response = try await answer(request, with: proof, as: issuer, at: now)
            constraints.announceNonce(on: &response, after: proof, at: now)
            return response
        } catch {
            context.logger.refused("pushed.refused", error, request)
            var response = ErrorResponse.response(for: error)
            constraints.announceNonce(on: &response, after: error, at: now)
            return response
        }
    }

    private func answer(
        _ request: ServerRequest, with proof: DPoPProof?, as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(OAuthError) -> ServerResponse {
        let form = try ClientForm.parameters(of: request, repeatable: ["resource"])
        let client = try await authenticator.authenticate(
            ClientRequest(request, form: form, to: path, as: issuer, at: now, in: context))
        // RFC 9126 section 2.1: the request_uri parameter MUST NOT be provided.
        guard form["request_uri"] == nil else {
            throw OAuthError(.invalidRequest, "a pushed request holds no request_uri")
        }
        var parameters = try await parameters(of: form, for: client, as: issuer, at: now)
        try bind(&parameters, to: proof)
        if let proof { try await constraints.spend(proof, at: now) }
        // RFC 9126 section 2.1: validated as if it had come to the authorization endpoint.
        do { _ = try reader.read(parameters, of: client, as: issuer, at: now) } catch { throw error.error }
        return try await keep(parameters, of: client, for: request, at: now)
    }

    /// What is asked for: from the form, or from the signed object in it (RFC 9126 section 3). Credentials are no part of it
    /// and are not kept.
    private func parameters(
        of form: FormParameters, for client: Client, as issuer: PreparedIssuer, at now: Timestamp
    ) async throws(OAuthError) -> FormParameters {
        let objects = RequestObjectSource(context: context)
        if let signed = try await objects.parameters(of: form, for: client, as: issuer, at: now) { return signed }
        // RFC 9101 section 10.5, require_signed_request_object.
        guard !client.metadata.requiresSignedRequestObjects else {
            throw OAuthError(.invalidRequest, "this client is registered to sign its authorization requests")
        }
        let asked = form.filter { name, _ in !Self.credentials.contains { sameText($0, name) } }
        // A client that proved itself in the header need not say again who it is.
        return FormParameters(asked + [("client_id", client.id)])
    }

    private static let credentials = ["client_id", "client_secret", "client_assertion", "client_assertion_type"]

    /// RFC 9449 section 10.1: a proof here says as much as `dpop_jkt`, and does not contradict it.
    private func bind(_ parameters: inout FormParameters, to proof: DPoPProof?) throws(OAuthError) {
        guard let proof else { return }
        if let named = parameters["dpop_jkt"] {
            guard sameText(named, proof.thumbprint) else {
                throw OAuthError(.invalidDPoPProof, "dpop_jkt names another key than the one of the proof")
            }
            return
        }
        let others = parameters.filter { name, _ in !sameText(name, "dpop_jkt") }
        parameters = FormParameters(others + [("dpop_jkt", proof.thumbprint)])
    }

    private func keep(
        _ parameters: FormParameters, of client: Client, for request: ServerRequest, at now: Timestamp
    ) async throws(OAuthError) -> ServerResponse {
        let lifetime = context.configuration.lifetimes.pushedRequest
        // RFC 9126 section 7.1: not to be guessed; 256 bits.
        let reference = PushedRequestSource.prefix + context.random.identifier(byteCount: 32)
        let pushed = PushedRequest(
            clientID: client.id, parameters: parameters, expires: now + lifetime, clientStay: client.stay)
        try await context.storing { store throws(StoreError) in
            try await store.keep(pushed, named: TokenDigest(of: reference), at: now)
        }
        context.logger.info("pushed.kept", [LogField("request", request.id), LogField("client", client.id)])
        var writer = JSONWriter(reservingCapacity: 160)
        writer.beginObject()
        writer.member("request_uri", reference)
        writer.member("expires_in", lifetime.inSeconds)
        writer.endObject()
        return ServerResponse(
            status: .created, headerFields: ResponseFields.neverStored, body: .bytes(writer.takeBytes()))
    }

    /// RFC 9126 section 5: clients authenticate as at the token endpoint.
    func advertise(in metadata: inout ServerMetadata) {
        metadata[.pushedAuthorizationRequestEndpoint] = .string(metadata.issuer.url(of: path))
    }
}
