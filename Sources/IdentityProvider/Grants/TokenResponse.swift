import OAuth
import Primitives

/// What a client gets (RFC 6749 section 5.1).
struct TokenResponse: Sendable {
    let accessToken: AccessToken
    let scope: Scope

    /// The body. The scope is always told: required where it differs from what was asked, and never wrong.
    func serialised() -> [UInt8] {
        var writer = JSONWriter(reservingCapacity: accessToken.text.utf8.count + scope.text.utf8.count + 96)
        writer.beginObject()
        writer.member("access_token", accessToken.text)
        writer.member("token_type", "Bearer")
        writer.member("expires_in", accessToken.lifetimeSeconds)
        if !scope.isEmpty { writer.member("scope", scope.text) }
        writer.endObject()
        return writer.takeBytes()
    }
}
