import OAuth
import Primitives

/// An error of RFC 6749 section 5.2, as a client reads it.
///
///     let shown = LoginError.refused(TokenRefusal(code: "unauthorized_client"))
public struct TokenRefusal: Error, Hashable, Sendable {
    /// The value of `error`, as the server wrote it.
    public let code: String
    /// `error_description`: for a developer, and not for a user.
    public let description: String?

    /// For tests and previews of what shows it.
    public init(code: String, description: String? = nil) {
        self.code = code
        self.description = description
    }

    /// RFC 6749 section 5.2: the grant is not good any more. Of all refusals this one alone is about the session; the others
    /// are about the client and its request.
    package var endsSession: Bool { sameText(code, OAuthErrorCode.invalidGrant.rawValue) }
}
