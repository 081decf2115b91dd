import Primitives

/// What somebody wants the next answers of an endpoint to be, to see what a client makes of them.
///
/// Whatever is `nil` stays as it would have been.
package struct TokenOverride: Sendable, Hashable {
    /// Put over the claims of the access token. They may replace the provider's own.
    package var accessTokenClaims: JSONObject?
    package var idTokenClaims: JSONObject?
    /// Put over the members of the body, or the parameters of the redirect; `null` takes one away.
    package var members: JSONObject?

    package init() {}

    package var changesClaims: Bool { [accessTokenClaims, idTokenClaims].contains { $0?.isEmpty == false } }
}
