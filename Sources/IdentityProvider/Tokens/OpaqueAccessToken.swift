/// An access token that means nothing to anybody but the provider, and what is to be kept of it.
struct OpaqueAccessToken: Sendable {
    let token: AccessToken
    let record: AccessTokenRecord
    let digest: TokenDigest
}
