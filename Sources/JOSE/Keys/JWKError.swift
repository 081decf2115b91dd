import Crypto
import Primitives

/// Why a key was not taken. Names members and limits, never a value: what was refused may have been a private key.
package enum JWKError: Error, Sendable, Equatable {
    /// Not JSON, or JSON that means different things to different readers (a member named twice).
    case malformed(JSONError)
    case notAnObject
    case missingMember(String)
    case memberOfWrongType(String)
    /// Not canonical Base64URL.
    case notBase64URL(String)
    /// Not as many octets as the type and curve of the key prescribe.
    case wrongLength(String)
    /// RFC 7518 section 2: a Base64urlUInt has the minimum number of octets.
    case leadingZeros(String)
    case repeatedKeyOperation
    /// RFC 7518 section 6.3.2: with one of p, q, dp, dq, qi come all of them, and d.
    case partialPrivateKey
    case unsupportedKeyType
    case unsupportedCurve
    /// RFC 7518 section 6.3.2.7: RSA keys of more than two primes.
    case unsupportedMultiPrimeKey
    /// The parts do not make a key: off the curve, halves that do not belong together, an RSA key that is too short.
    case refused(CryptoError)

    /// Nothing says which algorithm the key is for.
    case algorithmUndecided
    /// The key says that it is for another algorithm than the one asked for, or for none of this module.
    case algorithmContradictsKey(SignatureAlgorithm?)
    /// The type or curve of the key is not the algorithm's.
    case unfit(SignatureAlgorithm)
    /// RFC 7518 section 3.2: at least as long as the output of the hash.
    case secretTooShort(minimumByteCount: Int)
    /// RFC 7517 section 4.2: a `use` other than `sig`.
    case notForSignatures
    /// RFC 7517 section 4.3: `key_ops` without the operation that is asked for.
    case operationNotPermitted(String)
    case privateKeyNeeded
    /// There is no public half of a secret, and PEM has no place for one.
    case symmetricKey
    /// A set without a `keys` array of objects (RFC 7517 section 5).
    case notAKeySet
    case tooManyKeys(limit: Int)
}

extension JWKError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .malformed(let error): "the key is not acceptable JSON: \(error)"
        case .notAnObject: "a key must be a JSON object"
        case .missingMember(let name): "the key has no \(name)"
        case .memberOfWrongType(let name): "the key's \(name) has the wrong JSON type"
        case .notBase64URL(let name): "the key's \(name) is not canonical Base64URL"
        case .wrongLength(let name): "the key's \(name) has the wrong number of octets"
        case .leadingZeros(let name): "the key's \(name) begins with a zero octet, or is empty"
        case .repeatedKeyOperation: "the key's key_ops names an operation twice"
        case .partialPrivateKey: "some of the key's private members are missing"
        case .unsupportedKeyType: "the key's kty is not supported"
        case .unsupportedCurve: "the key's crv is not supported"
        case .unsupportedMultiPrimeKey: "RSA keys with more than two primes are not supported"
        case .refused(let error): "the key was refused: \(error)"
        case .algorithmUndecided: "the key does not say which algorithm it is for, and none was given"
        case .algorithmContradictsKey(let algorithm?): "the key's alg is not \(algorithm)"
        case .algorithmContradictsKey(nil): "the key's alg is not a signature algorithm that is supported"
        case .unfit(let algorithm): "the key's type or curve does not fit \(algorithm)"
        case .secretTooShort(let minimum): "the secret is too short: the algorithm needs at least \(minimum) bytes"
        case .notForSignatures: "the key's use is not sig"
        case .operationNotPermitted(let operation): "the key's key_ops does not permit \(operation)"
        case .privateKeyNeeded: "a private key is needed, and this one is public"
        case .symmetricKey: "a symmetric key has no public half and no PEM form"
        case .notAKeySet: "a key set must be a JSON object whose keys member is an array of objects"
        case .tooManyKeys(let limit): "the key set has more than \(limit) keys"
        }
    }
}
