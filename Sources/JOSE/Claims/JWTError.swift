import Primitives

/// Why a token was refused. Names claims and what was expected, never what the token had.
package enum JWTError: Error, Sendable, Equatable {
    /// Its form, or its signature.
    case signature(JWSError)
    /// RFC 7797 section 7: JWTs MUST NOT use the unencoded payload.
    case unencodedPayload
    case claimsMalformed(JSONError)
    /// RFC 7519 section 7.2: the claims are a JSON object.
    case claimsNotAnObject
    case typeMissing
    case wrongType(expected: String)
    case missingClaim(String)
    case claimOfWrongType(String)
    /// A NumericDate before 1970 or after the year 9999.
    case dateOutOfRange(String)
    case wrongIssuer
    case wrongAudience
    case expired
    case notYetValid
    case issuedInTheFuture
    case tooOld
}

extension JWTError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .signature(let error): error.description
        case .unencodedPayload: "a JWT must not use an unencoded payload"
        case .claimsMalformed(let error): "the claims are not acceptable JSON: \(error)"
        case .claimsNotAnObject: "the claims are not a JSON object"
        case .typeMissing: "the header has no typ"
        case .wrongType(let expected): "the header's typ is not \(expected)"
        case .missingClaim(let name): "the claim \(name) is missing"
        case .claimOfWrongType(let name): "the claim \(name) has the wrong JSON type"
        case .dateOutOfRange(let name): "the claim \(name) is not a date between the years 1970 and 9999"
        case .wrongIssuer: "the issuer is not the expected one"
        case .wrongAudience: "the token is meant for another audience"
        case .expired: "the token has expired"
        case .notYetValid: "the token is not valid yet"
        case .issuedInTheFuture: "the token was issued in the future"
        case .tooOld: "the token was issued too long ago"
        }
    }
}
