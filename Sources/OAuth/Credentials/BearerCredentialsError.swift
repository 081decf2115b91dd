/// What is wrong with an access token's field. Never says what it was.
package enum BearerCredentialsError: Error, Hashable, Sendable, CustomStringConvertible {
    case otherScheme
    case missingToken
    case malformedToken
    case tooLong

    package var description: String {
        switch self {
        case .otherScheme: "the Authorization header is neither of the Bearer nor of the DPoP scheme"
        case .missingToken: "there is no token behind the name of the scheme"
        case .malformedToken:
            "a token is made of letters, digits and - . _ ~ + / with = at its end alone, and nothing follows it"
        case .tooLong: "the Authorization header is longer than \(BearerCredentials.maximumByteCount) bytes"
        }
    }
}
