import HTTPMessages
import JOSE
import OAuth
import Observability
import Primitives

/// Lets a client give back a token that it needs no more (RFC 7009).
///
/// A refresh token ends its family: every access token that follows from the same authorization is no good from then on,
/// and so is the line of refresh tokens, whichever of it was sent. A client that signs out with a copy that was replaced
/// meanwhile means the session, not the copy. What an access token ends is chosen by ``AccessTokenRevocation``.
struct RevocationEndpoint: Endpoint {
    static let location = "/revoke"

    let path = RevocationEndpoint.location
    let methods: [HTTPRequest.Method] = [.post]
    let isPublic = false

    private let context: ProviderContext
    private let authenticator: ClientAuthenticator
    private let accessTokens: AccessTokenReader

    init(context: ProviderContext, authenticator: ClientAuthenticator) {
        self.context = context
        self.authenticator = authenticator
        accessTokens = AccessTokenReader(context: context)
    }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        let trace = FamilyTrace()
        var response: ServerResponse
        do throws(OAuthError) {
            try await revoke(by: request, as: issuer, trace)
            // RFC 7009 section 2.2: the body is ignored, the status says it all.
            var fields = ResponseFields.neverStored
            fields[.contentType] = nil
            response = ServerResponse(status: .ok, headerFields: fields)
        } catch {
            context.logger.refused("revocation.refused", error, request)
            response = ErrorResponse.response(for: error)
        }
        trace.apply(to: &response)
        return response
    }

    private func revoke(
        by request: ServerRequest, as issuer: PreparedIssuer, _ trace: FamilyTrace
    ) async throws(OAuthError) {
        let now = context.clock.now()
        let question = try await TokenQuestion(request, to: path, as: issuer, at: now, by: authenticator)
        let (token, client) = (question.token, question.client)
        if let (familyID, node) = context.refreshTokens.read(token) {
            trace.present(familyID, node)
            try await end(familyID, for: client, by: request, at: now)
        } else if let facts = try await accessTokens.active(token, at: now, notingIn: trace)?.facts {
            try await revoke(facts, for: client, by: request, at: now)
        } else if isIDToken(token, at: now) {
            throw OAuthError(.unsupportedTokenType, "an ID token cannot be revoked; an access or a refresh token can")
        }
        // Section 2.2: a token that is not good is what the client wanted.
    }

    /// Section 2.1: a token that was not issued to the client is refused, and the client is told.
    private static let foreign = OAuthError(
        .invalidGrant, "the token was given to another client", cause: "token of another client")

    private func end(
        _ id: FamilyID, for client: Client, by request: ServerRequest, at now: Timestamp
    ) async throws(OAuthError) {
        let isOwn = try await context.storing { store throws(StoreError) in
            try await store.judge(id) { family in
                guard sameText(family.terms.clientID, client.id) else { return false }
                family.end(.revoked, at: now)
                return true
            }
        }
        // Nothing is known of a family that was forgotten with its end.
        guard let isOwn else { return }
        guard isOwn else { throw Self.foreign }
        note("refresh_token", [LogField("family", id.description)], client, request)
    }

    private func revoke(
        _ facts: AccessTokenFacts, for client: Client, by request: ServerRequest, at now: Timestamp
    ) async throws(OAuthError) {
        guard sameText(facts.clientID, client.id) else { throw Self.foreign }
        try await context.storing { store throws(StoreError) in
            try await store.revokeAccessToken(facts.identifier, expiring: facts.expires, at: now)
        }
        note("access_token", [LogField("jti", facts.identifier)], client, request)
        guard context.configuration.accessTokenRevocation == .family, let familyID = facts.familyID,
            let family = try await accessTokens.livingFamily(familyID)
        else { return }
        // A token that was exchanged (RFC 8693) follows from what another client was given, which is not this one's to end.
        guard sameText(family.terms.clientID, client.id) else { return }
        try await end(familyID, for: client, by: request, at: now)
    }

    private func note(_ type: StaticString, _ fields: [LogField], _ client: Client, _ request: ServerRequest) {
        context.logger.info(
            "token.revoked",
            [LogField("request", request.id), LogField("client", client.id), LogField("type", type.description)]
                + fields)
    }

    /// Whether it is an ID token that a key of ours has signed. Access tokens have a type of their own.
    private func isIDToken(_ token: String, at now: Timestamp) -> Bool {
        let policy = JWTPolicy(
            issuer: .unchecked, audience: .unchecked, type: .exactly(TokenType.idToken.header),
            requiredClaims: ["exp", "iat", "sub", "aud"])
        return (try? policy.verify(token, keys: context.keyRing.verificationKeys(at: now), at: now)) != nil
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata[.revocationEndpoint] = .string(metadata.issuer.url(of: path))
        authenticator.advertise(in: &metadata, as: .revocationEndpointAuthenticationMethods)
    }
}
