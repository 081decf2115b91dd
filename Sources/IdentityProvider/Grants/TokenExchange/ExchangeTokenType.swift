/// What a token is, in the words of RFC 8693 section 3.
enum ExchangeTokenType: String, CaseIterable, Sendable {
    case accessToken = "urn:ietf:params:oauth:token-type:access_token"
    case refreshToken = "urn:ietf:params:oauth:token-type:refresh_token"
    case idToken = "urn:ietf:params:oauth:token-type:id_token"
    /// Any JWT: one of ours, or an assertion that the JWT bearer grant would take.
    case jwt = "urn:ietf:params:oauth:token-type:jwt"
}
