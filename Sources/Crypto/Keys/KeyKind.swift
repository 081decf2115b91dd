/// What sort of key it is, and how large where that is a choice.
package enum KeyKind: Sendable, Hashable {
    case rsa(bits: Int)
    case ec(Curve)
    case ed25519
}

extension KeyKind: CustomStringConvertible {
    package var description: String {
        switch self {
        case .rsa(let bits): "an RSA key of \(bits) bits"
        case .ec(let curve): "an EC key on \(curve)"
        case .ed25519: "an Ed25519 key"
        }
    }
}
