import JOSE

/// Why a key ring refused.
package enum KeyRingError: Error, Equatable, Sendable, CustomStringConvertible {
    case noActiveKey(SignatureAlgorithm)
    case severalActiveKeys(SignatureAlgorithm)
    case severalNextKeys(SignatureAlgorithm)
    case repeatedKeyID
    case unknownKeyID
    case tooManyKeys(limit: Int)

    package var description: String {
        switch self {
        case .noActiveKey(let algorithm): "no active key for \(algorithm)"
        case .severalActiveKeys(let algorithm): "more than one active key for \(algorithm)"
        case .severalNextKeys(let algorithm): "more than one next key for \(algorithm)"
        case .repeatedKeyID: "two keys have the same key ID"
        case .unknownKeyID: "no key has the key ID"
        case .tooManyKeys(let limit): "there are more than \(limit) keys, counting those whose tokens are still valid"
        }
    }
}
