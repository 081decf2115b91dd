import Crypto
import Primitives

/// The key itself, without anything said about it.
package enum KeyMaterial: Sendable {
    /// `oct`: whoever can verify can sign (RFC 7518 section 6.4).
    case symmetric(Secret)
    case publicKey(PublicKey)
    case privateKey(PrivateKey)

    /// What sort of key pair it belongs to; nil for a secret.
    package var kind: KeyKind? {
        switch self {
        case .symmetric: nil
        case .publicKey(let key): key.kind
        case .privateKey(let key): key.kind
        }
    }

    /// Its `kty`.
    package var keyType: KeyType {
        switch kind {
        case nil: .oct
        case .rsa: .rsa
        case .ec: .ec
        case .ed25519: .okp
        }
    }
}

extension KeyMaterial: Equatable {
    package static func == (left: KeyMaterial, right: KeyMaterial) -> Bool {
        switch (left, right) {
        case (.symmetric(let left), .symmetric(let right)): left == right
        case (.publicKey(let left), .publicKey(let right)): left == right
        // A public key has one private key: equal halves make equal wholes, whose parts were checked to belong together.
        case (.privateKey(let left), .privateKey(let right)): left.publicKey == right.publicKey
        default: false
        }
    }
}
