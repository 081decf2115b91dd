import Primitives

/// The key that the bearer of a token must prove to have: `cnf` of RFC 7800.
package enum Confirmation: Hashable, Sendable {
    /// RFC 9449 section 6.1: the thumbprint of the key that signs the proofs.
    case proofKey(thumbprint: String)
    /// RFC 8705 section 3.1: the SHA-256 of the client's certificate, in Base64URL.
    case certificate(thumbprint: String)

    /// The member of `cnf`.
    var member: (name: String, value: String) {
        switch self {
        case .proofKey(let thumbprint): ("jkt", thumbprint)
        case .certificate(let thumbprint): ("x5t#S256", thumbprint)
        }
    }

    package var json: JSON { .object([member.name: .string(member.value)]) }
}
