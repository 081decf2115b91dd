import OAuth
import Primitives

/// Makes logout tokens (OpenID Connect Back-Channel Logout section 2.4).
struct LogoutTokenIssuer: Sendable {
    let context: ProviderContext

    /// Section 4: short, at most two minutes. What is on its way longer is of no use to anybody.
    static let lifetime = Duration.seconds(120)
    /// Section 2.4: the member of `events` that makes it one.
    static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// Signed as the client's ID tokens are (section 2.6 has it verify both alike). With both `sub` and `sid`: of this
    /// user, this session. `nonce` MUST NOT be there, so that it can never pass for an ID token.
    func token(
        for client: Client, of login: Login, as issuer: String, at now: Timestamp
    ) async throws(OAuthError) -> String {
        let algorithm = client.metadata.idTokenAlgorithm ?? context.configuration.idTokens.algorithm
        let expiry = now + Self.lifetime
        return try await context.signer.sign(.logoutToken, with: algorithm, for: client, expiring: expiry, at: now) {
            writer in
            writer.member("iss", issuer)
            writer.member("sub", context.subjects.subject(of: login.userID, for: client))
            writer.member("aud", client.id)
            writer.member("iat", now.secondsSinceEpoch)
            writer.member("exp", expiry.secondsSinceEpoch)
            writer.member("jti", context.random.identifier())
            writer.member("events", .object([Self.event: .object([:])]))
            writer.member("sid", login.id.text)
        }.text
    }
}
