import Primitives

/// What is wrong with an ID token. Never says what stood there.
///
///     if case .badIDToken(.issuedInTheFuture) = error { askForTheRightTime() }
public enum IDTokenError: Error, Hashable, Sendable {
    /// `openid` was asked for, and there is none.
    case missing
    /// It is no JWT with a JSON object.
    case malformed
    /// This claim is missing, or of the wrong type.
    case missingClaim(String)
    /// `iss` is another server.
    case otherIssuer
    /// `aud` does not name this client.
    case otherAudience
    /// `azp` is another client, or missing where there are several audiences.
    case otherAuthorizedParty
    /// It was over when it came.
    case expired
    /// `iat` is more than five minutes ahead: the clocks differ.
    case issuedInTheFuture
    /// It belongs to another login.
    case otherNonce
    /// The user has shown who he is longer ago than was asked for.
    case tooOldLogin
}

extension IDTokenError: CustomStringConvertible {
    /// In words, for a log.
    public var description: String {
        switch self {
        case .missing: "it is missing, though the scope openid was asked for"
        case .malformed: "it is no JWT with a JSON object"
        case .missingClaim(let name): "\(name) is missing or of the wrong type"
        case .otherIssuer: "iss is another issuer"
        case .otherAudience: "aud does not name this client"
        case .otherAuthorizedParty: "azp is another client, or missing where there are several audiences"
        case .expired: "it has expired"
        case .issuedInTheFuture: "iat is in the future: the clocks of server and device differ"
        case .otherNonce: "nonce is missing or another"
        case .tooOldLogin: "auth_time is missing, or longer ago than max_age allows"
        }
    }
}
