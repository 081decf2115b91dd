import OAuth

/// Why no tokens were made.
package enum DirectMintingError: Error, Hashable, Sendable {
    case unknownUser
    case unknownClient
    /// It is malformed, or more than the client may have.
    case badScope(String)
    case refused(OAuthError)
}
