/// Why a key could not be read, made or used. It names the rule that was broken, never a byte of the key.
package enum CryptoError: Error, Sendable, Hashable {
    // What a PEM text can get wrong (RFC 7468).
    case noPEMBlock
    case textOutsidePEMBlock
    case severalPEMBlocks
    case malformedPEM(String)
    case pemTooLong(limitInBytes: Int)
    case encryptedKey
    case wrongPEMContent(found: String, expected: String)

    // What the key inside can be that is not offered here.
    case malformedKey(String)
    case unsupportedKeyType(String)
    case unsupportedCurve(String)
    case explicitCurveParameters
    case unsupportedPointForm
    case multiPrimeRSA

    // What the numbers of a key can get wrong.
    case wrongLength(part: String, expectedBytes: Int, foundBytes: Int)
    case leadingZero(part: String)
    case rsaModulusTooShort(bits: Int, minimum: Int)
    case rsaModulusTooLong(bits: Int, maximum: Int)
    case invalidRSAModulus
    case invalidRSAExponent(String)
    case inconsistentKey(String)
    case privateScalarOutOfRange
    case pointNotOnCurve
    case smallOrderPoint

    // What can go wrong in use.
    case schemeDoesNotFitKey(scheme: SignatureScheme, key: KeyKind)
    case formatDoesNotFitKey(format: String, key: KeyKind)
    case keyTooShortForScheme(SignatureScheme)
    /// What was sealed is not what is there, or not with this key. No more is said: whoever tries would learn from it.
    case notAuthentic
    case library(operation: String, reason: String)
}

extension CryptoError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noPEMBlock: "there is no PEM block: a line -----BEGIN …----- is expected"
        case .textOutsidePEMBlock: "there is text before or after the PEM block"
        case .severalPEMBlocks: "there is more than one PEM block, exactly one key is expected"
        case .malformedPEM(let fault): "the PEM block is malformed: \(fault)"
        case .pemTooLong(let limit): "the PEM text is longer than \(limit) bytes"
        case .encryptedKey: "the key is encrypted, only unencrypted keys are read"
        case .wrongPEMContent(let found, let expected): "the PEM block holds \(found), expected \(expected)"
        case .malformedKey(let fault): "the key is malformed: \(fault)"
        case .unsupportedKeyType(let name): "keys of type \(name) are not supported"
        case .unsupportedCurve(let name): "the curve \(name) is not supported (P-256, P-384 and P-521 are)"
        case .explicitCurveParameters: "the curve is given by explicit parameters, only named curves are read"
        case .unsupportedPointForm: "the public point is not in uncompressed form"
        case .multiPrimeRSA: "RSA keys with more than two primes are not supported"
        case .wrongLength(let part, let expected, let found): "\(part) must be \(expected) bytes, not \(found)"
        case .leadingZero(let part): "\(part) starts with a zero byte"
        case .rsaModulusTooShort(let bits, let minimum): "the RSA modulus has \(bits) bits, fewer than \(minimum)"
        case .rsaModulusTooLong(let bits, let maximum): "the RSA modulus has \(bits) bits, more than \(maximum)"
        case .invalidRSAModulus: "the RSA modulus is even"
        case .invalidRSAExponent(let fault): "the RSA public exponent is \(fault)"
        case .inconsistentKey(let fault): "the parts of the key contradict each other: \(fault)"
        case .privateScalarOutOfRange: "the private scalar is zero or not below the order of the curve"
        case .pointNotOnCurve: "the public point is not on the curve"
        case .smallOrderPoint: "the public key is a point of small order, anybody could sign for it"
        case .schemeDoesNotFitKey(let scheme, let key): "\(scheme) cannot be used with \(key)"
        case .formatDoesNotFitKey(let format, let key): "\(format) cannot hold \(key)"
        case .keyTooShortForScheme(let scheme): "the RSA key is too short for \(scheme)"
        case .notAuthentic: "it was changed, or sealed with another key"
        case .library(let operation, let reason): "\(operation) failed: \(reason)"
        }
    }
}
