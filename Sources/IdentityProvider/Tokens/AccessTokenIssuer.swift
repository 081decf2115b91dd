import JOSE
import OAuth
import Primitives

/// Makes access tokens: signed JWTs that any resource server can check by itself (RFC 9068).
struct AccessTokenIssuer: Sendable {
    let policy: AccessTokenPolicy
    let keyRing: KeyRing
    let random: any RandomSource

    /// Signs a token. The claims are those that RFC 9068 section 2.2 requires, and `scope` where there is one
    /// (section 2.2.3).
    func issue(
        to client: Client, subject: String, scope: Scope, as issuer: PreparedIssuer, at now: Timestamp
    ) throws(OAuthError) -> AccessToken {
        let issuedAt = now.secondsSinceEpoch
        let lifetime = policy.lifetime.inSeconds
        let expiry = issuedAt + lifetime
        let identifier = random.identifier()
        do {
            let key = try keyRing.signingKey(
                for: policy.algorithm, coveringTokensUntil: Timestamp(secondsSinceEpoch: expiry), at: now)
            let text = try key.signer(for: .accessToken).sign { writer in
                writer.member("iss", issuer.identifier)
                writer.member("sub", subject)
                write(policy.audience, of: issuer, to: &writer)
                writer.member("exp", expiry)
                writer.member("iat", issuedAt)
                writer.member("jti", identifier)
                writer.member("client_id", client.id)
                if !scope.isEmpty { writer.member("scope", scope.text) }
            }
            return AccessToken(text: text, identifier: identifier, keyID: key.keyID, lifetimeSeconds: lifetime)
        } catch {
            throw OAuthError(.serverError, "the token could not be signed", cause: "\(error)")
        }
    }

    /// RFC 7519 section 4.1.3: one audience is a string, several are an array.
    private func write(
        _ audience: AccessTokenPolicy.Audience, of issuer: PreparedIssuer, to writer: inout JSONWriter
    ) {
        switch audience {
        case .issuer:
            writer.member("aud", issuer.identifier)
        case .fixed(let audiences) where audiences.count == 1:
            writer.member("aud", audiences[0])
        case .fixed(let audiences):
            writer.name("aud")
            writer.beginArray()
            for audience in audiences { writer.string(audience) }
            writer.endArray()
        }
    }
}
