/// What ends when a client revokes an access token. RFC 7009 section 2.1 leaves it to the provider, and providers differ.
package enum AccessTokenRevocation: String, Sendable, CaseIterable {
    /// Nothing else: the client gets another one by its refresh token.
    case tokenAlone = "token"
    /// The refresh token and every other token of the same authorization too.
    case family
}
