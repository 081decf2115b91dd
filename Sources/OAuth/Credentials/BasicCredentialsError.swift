/// What is wrong with Basic credentials. Never says what they were.
package enum BasicCredentialsError: Error, Hashable, Sendable, CustomStringConvertible {
    case otherScheme
    case missingCredentials
    case tooLong
    case badBase64
    case missingColon
    case emptyIdentifier
    case badPercentEncoding
    case forbiddenCharacter

    package var description: String {
        switch self {
        case .otherScheme: "the Authorization header is not of the Basic scheme"
        case .missingCredentials: "there is nothing behind the word Basic"
        case .tooLong: "the Basic credentials are longer than \(BasicCredentials.maximumByteCount) bytes"
        case .badBase64: "the Basic credentials are not padded Base64"
        case .missingColon: "the Basic credentials have no colon between client identifier and secret"
        case .emptyIdentifier: "the client identifier is empty"
        case .badPercentEncoding:
            "client identifier and secret are form-encoded before Base64 (RFC 6749 section 2.3.1): "
                + "a % must be followed by two hexadecimal digits"
        case .forbiddenCharacter: "client identifier and secret are made of printable ASCII"
        }
    }
}
