import HTTPMessages
import OAuth

/// Why a registration is refused: for want of a good token, or for what it says.
enum RegistrationRefusal: Error, Sendable {
    /// There is no token at all.
    case withoutToken
    /// RFC 6750 section 3.1. The same for a token that is wrong and a client that is not there.
    case badToken(cause: String)
    case refused(OAuthError)

    init(_ error: ClientMetadataError) { self = .refused(error.response) }

    var error: OAuthError? {
        switch self {
        case .withoutToken: nil
        case .badToken(let cause):
            OAuthError(
                .invalidToken, "the token is not that of this registration, or not good (any more)", cause: cause)
        case .refused(let error): error
        }
    }

    var response: ServerResponse {
        guard let error else { return ResourceChallenges.response(asking: [.bearer]) }
        if case .badToken = self { return ResourceChallenges.response(for: error) }
        return ErrorResponse.response(for: error)
    }
}
