import HTTPMessages
import OAuth
import Primitives

/// Rotates the refresh token of a session in cookies: the refresh grant (RFC 6749 section 6) itself, whose token came in a
/// cookie and whose tokens go into cookies.
///
///     curl -b jar -c jar -X POST http://localhost:8080/session/refresh
struct SessionRefreshEndpoint: SessionPath {
    static let location = SessionEndpoint.location + "/refresh"

    let path = SessionRefreshEndpoint.location
    let methods: [HTTPRequest.Method] = [.post]
    let desk: SessionDesk
    private let grant: RefreshTokenGrant

    init(desk: SessionDesk) {
        self.desk = desk
        grant = RefreshTokenGrant(context: desk.context, minter: desk.minter)
    }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        await desk.answer(request, as: issuer) { visit async throws(OAuthError) in
            try await refresh(in: &visit)
        }
    }

    private func refresh(in visit: inout SessionVisit) async throws(OAuthError) -> JSON {
        let form = try SessionForm.parameters(of: visit.request)
        let token = try await SessionRefreshToken.find(in: form, at: desk, in: &visit)
        let client = token.client
        // Before anything is spent.
        let cookies = try SessionCookies(settable: client, by: visit.transport)
        guard client.client.mayUse(grant.type) else {
            throw OAuthError(.unauthorizedClient, "this client may not use refresh tokens")
        }
        let tokens: TokenResponse
        do throws(OAuthError) {
            tokens = try await judged(token, form, in: visit)
        } catch {
            if token.isInCookie, error.code.status < 500 {
                await desk.noteRefusal(of: token.familyID, to: client, in: &visit)
            }
            desk.metrics.countRefused(error.code)
            throw error
        }
        guard let terms = token.family?.terms else { throw RotationPolicy.refused("unknown family") }
        desk.metrics.countIssued(to: client.client, by: grant.type)
        desk.note("session.refreshed", terms, in: visit)
        try desk.hand(tokens, of: terms, to: client, cookies, in: &visit)
        return desk.facts(tokens, of: terms, for: client.client, in: visit)
    }

    /// By the same code, on the same family and under the same policy as at the token endpoint.
    private func judged(
        _ token: SessionRefreshToken, _ form: FormParameters, in visit: SessionVisit
    ) async throws(OAuthError) -> TokenResponse {
        var pairs = [("grant_type", grant.type), ("refresh_token", token.text)]
        for (name, value) in form where ["scope", "resource"].contains(name) { pairs.append((name, value)) }
        return try await grant.answer(
            TokenRequest(
                client: token.client.client, form: FormParameters(pairs.map { (name: $0.0, value: $0.1) }),
                issuer: visit.issuer, now: visit.now,
                asker: visit.asker(in: desk.context),
                override: desk.context.overrides.next(at: path, for: token.client.id), trace: visit.trace))
    }

    func describe(in document: inout OpenAPIDocument) {
        SessionDescriptions.describe(path, methods, in: &document)
    }
}
