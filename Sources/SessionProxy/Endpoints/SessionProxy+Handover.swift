import HTTPMessages
import OAuth
import Observability
import Primitives
import SessionClient

/// A session that an app has had minted for its web view, and hands over (S18).
extension SessionProxy {
    /// Takes a refresh token of a family of its own, which the app got by token exchange (RFC 8693) and keeps no copy of, and answers
    /// with the cookie that the app puts into its web view. The token is spent at once, so that whoever saw it has nothing.
    ///
    /// An access token would not do: whoever is shown one, such as any API, could make of it what lasts. And no page hands anything
    /// over: else another site could sign the user in as somebody else.
    func handover(_ request: ProxyRequest) async -> ServerResponse {
        guard request.head.method == .post else { return ProxyAnswer.methodNotAllowed("POST") }
        guard request.site == .unknown, request.fields[.secFetchMode] == nil else {
            return ProxyAnswer.error(.forbidden, "cross_site_request", "an app hands a session over, and no page")
        }
        guard let field = request.fields[.authorization],
            let credentials = try? BearerCredentials(authorization: field), credentials.scheme == .bearer
        else {
            return ProxyAnswer.error(
                .unauthorized, "no_token", "the refresh token of the session comes as Authorization: Bearer",
                [.wwwAuthenticate: "Bearer"])
        }
        let answer = await handovers.take { await spend(Secret(utf8: credentials.token), request) }
        return answer
            ?? ProxyAnswer.error(
                .serviceUnavailable, "too_busy",
                "too many sessions are being handed over; the token is as good as before", [.retryAfter: "1"])
    }

    private func spend(_ handed: Secret, _ request: ProxyRequest) async -> ServerResponse {
        let tokens: TokenClient
        do throws(DiscoveryError) { tokens = try await provider.tokens() } catch {
            return Self.providerIsAway
        }
        switch await tokens.refresh(handed) {
        case .granted(let grant): return await take(grant, inPlaceOf: handed, request)
        // Spent is spent: what came for it is all that there is, and brings the access token when one is wanted.
        case .incomplete(let successor):
            let grant = TokenGrant(
                accessToken: Secret(utf8: ""), tokenType: "Bearer", expiresIn: .zero,
                refreshToken: successor.refreshToken, receivedAt: clock.now())
            return await take(grant, inPlaceOf: handed, request)
        case .refused(let refusal):
            logger.warning("a session handed over was refused", [LogField("code", refusal.code)])
            return ProxyAnswer.error(
                .unauthorized, "invalid_token",
                "the provider does not take the token, as a refresh token of this proxy",
                [.wwwAuthenticate: "Bearer error=\"invalid_token\""])
        case .unavailable: return Self.providerIsAway
        }
    }

    private func take(
        _ grant: TokenGrant, inPlaceOf handed: Secret, _ request: ProxyRequest
    ) async -> ServerResponse {
        // What is not replaced the app, and whoever was in between, could go on using.
        guard let next = grant.refreshToken, next != handed else {
            return ProxyAnswer.error(.badGateway, "not_rotated", "the provider does not replace refresh tokens")
        }
        guard let manager = try? await makeManager(), (try? await manager.signIn(grant)) != nil else {
            return Self.providerIsAway
        }
        let cookie = await admit(manager, subject: nil, claims: [:], request)
        var response = ProxyAnswer.json(.ok, ["signed_in": true, "cookie": .string(cookies.sessionName)])
        response.set(cookie)
        return response
    }

    private static let providerIsAway = ProxyAnswer.error(
        .serviceUnavailable, "provider_unavailable", "the provider gives no answer now", [.retryAfter: "2"])
}
