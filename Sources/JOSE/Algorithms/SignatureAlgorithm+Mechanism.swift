import Crypto

extension SignatureAlgorithm {
    /// How an algorithm signs, and with it which keys fit.
    package enum Mechanism: Sendable, Hashable {
        case hmac(HashFunction)
        case asymmetric(SignatureScheme)
    }

    /// The table: one row per algorithm, and the only place that tells them apart.
    package var mechanism: Mechanism {
        switch self {
        case .hs256: .hmac(.sha256)
        case .hs384: .hmac(.sha384)
        case .hs512: .hmac(.sha512)
        case .rs256: .asymmetric(.rsaPKCS1(.sha256))
        case .rs384: .asymmetric(.rsaPKCS1(.sha384))
        case .rs512: .asymmetric(.rsaPKCS1(.sha512))
        case .ps256: .asymmetric(.rsaPSS(.sha256))
        case .ps384: .asymmetric(.rsaPSS(.sha384))
        case .ps512: .asymmetric(.rsaPSS(.sha512))
        case .es256: .asymmetric(.ecdsa(.p256, .sha256))
        case .es384: .asymmetric(.ecdsa(.p384, .sha384))
        case .es512: .asymmetric(.ecdsa(.p521, .sha512))
        case .edDSA: .asymmetric(.ed25519)
        }
    }

    /// The `kty` of the keys that fit (RFC 7518 section 6.1, RFC 8037 section 2).
    package var keyType: KeyType {
        switch mechanism {
        case .hmac: .oct
        case .asymmetric(.rsaPKCS1), .asymmetric(.rsaPSS): .rsa
        case .asymmetric(.ecdsa): .ec
        case .asymmetric(.ed25519): .okp
        }
    }

    /// The one algorithm that a curve is for (RFC 7518 section 3.4): the wrong pair cannot be named.
    static func onCurve(_ curve: Curve) -> SignatureAlgorithm {
        switch curve {
        case .p256: .es256
        case .p384: .es384
        case .p521: .es512
        }
    }
}
