/// How a signature is made and checked, down to the last parameter.
package enum SignatureScheme: Sendable, Hashable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 section 8.2).
    case rsaPKCS1(HashFunction)
    /// RSASSA-PSS (RFC 8017 section 8.1): MGF1 with the same hash, a salt exactly as long as the hash.
    case rsaPSS(HashFunction)
    /// ECDSA (FIPS 186-4) with r and s one behind the other, each as long as the field (RFC 7518 section 3.4).
    case ecdsa(Curve, HashFunction)
    /// Ed25519 (RFC 8032).
    case ed25519

    func fits(_ kind: KeyKind) -> Bool {
        switch (self, kind) {
        case (.rsaPKCS1, .rsa), (.rsaPSS, .rsa), (.ed25519, .ed25519): true
        case (.ecdsa(let curve, _), .ec(let keyCurve)): curve == keyCurve
        default: false
        }
    }
}

extension SignatureScheme: CustomStringConvertible {
    package var description: String {
        switch self {
        case .rsaPKCS1(let hash): "RSASSA-PKCS1-v1_5 with \(hash)"
        case .rsaPSS(let hash): "RSASSA-PSS with \(hash)"
        case .ecdsa(let curve, let hash): "ECDSA on \(curve) with \(hash)"
        case .ed25519: "Ed25519"
        }
    }
}
