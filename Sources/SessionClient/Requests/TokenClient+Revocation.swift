import HTTPMessages
import OAuth
import Primitives

/// What came of giving a token back.
package enum RevocationAnswer: Hashable, Sendable {
    /// The token is good for nothing any more, whether it was before or not.
    case revoked
    /// The server understood, and did not do it.
    case refused(TokenRefusal)
    /// Nobody knows whether it is revoked.
    case unavailable(Unavailability)
    /// The server has no endpoint for it: the token lives until it expires.
    case unsupported
}

extension TokenClient {
    /// Which sort of token is given back (RFC 7009 section 2.1).
    package enum RevocableToken: String, Hashable, Sendable {
        case refreshToken = "refresh_token"
        case accessToken = "access_token"
    }

    /// Gives a token back (RFC 7009 section 2.1). With the refresh token the access tokens of its grant SHOULD go too.
    package func revoke(_ token: Secret, as kind: RevocableToken = .refreshToken) async -> RevocationAnswer {
        guard let endpoint = server.revocationEndpoint else { return .unsupported }
        var form = FormBody()
        form.append("token", token)
        form.append("token_type_hint", kind.rawValue)
        let request = authenticated(&form, to: endpoint)
        do throws(OutboundFailure) {
            let (response, body) = try await outbound.send(request, body: form.bytes)
            // RFC 7009 section 2.2: 200 is all there is to say, for an invalid token too; the body is ignored.
            if response.status == .ok { return .revoked }
            let reader = TokenAnswerReader(receivedAt: clock.now(), secrets: form.secrets)
            switch reader.read(response, body) {
            case .granted, .incomplete: return .unavailable(Unavailability(.unreadable))
            case .refused(let refusal): return .refused(refusal)
            case .unavailable(let unavailability): return .unavailable(unavailability)
            }
        } catch {
            return .unavailable(Unavailability(error))
        }
    }
}
