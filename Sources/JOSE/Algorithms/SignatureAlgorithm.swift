/// The signature algorithms of this module, by their names on the wire (RFC 7518 section 3.1, RFC 8037 section 3.1).
///
/// `none` is not among them, so nothing can ask for it.
package enum SignatureAlgorithm: String, CaseIterable, Sendable, Hashable {
    case hs256 = "HS256"
    case hs384 = "HS384"
    case hs512 = "HS512"
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    case edDSA = "EdDSA"

    /// The name in the `alg` member of a header or a key.
    package var name: String { rawValue }

    /// Whether whoever can verify can also sign.
    package var isSymmetric: Bool {
        if case .hmac = mechanism { true } else { false }
    }

    /// Whether a signature takes so little time, and so large a table, that it pays to make several one right after the
    /// other. The others have no table, or take so long that it makes no difference.
    package var isFasterInBatches: Bool { self == .es256 || self == .edDSA }
}

extension SignatureAlgorithm: CustomStringConvertible {
    package var description: String { rawValue }
}
