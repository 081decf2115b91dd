import JOSE

/// The algorithm that signs tokens.
///
///     let setup = TestSetup(algorithm: .rs256)
public enum TestAlgorithm: String, CaseIterable, Hashable, Sendable {
    /// HMAC with SHA-256: a secret that is never published.
    case hs256 = "HS256"
    /// HMAC with SHA-384.
    case hs384 = "HS384"
    /// HMAC with SHA-512.
    case hs512 = "HS512"
    /// RSA. Its key takes a tenth of a second to make.
    case rs256 = "RS256"
    /// RSA with SHA-384.
    case rs384 = "RS384"
    /// RSA with SHA-512.
    case rs512 = "RS512"
    /// RSA-PSS.
    case ps256 = "PS256"
    /// RSA-PSS with SHA-384.
    case ps384 = "PS384"
    /// RSA-PSS with SHA-512.
    case ps512 = "PS512"
    /// ECDSA on P-256: what a provider begins with, because its key is made in no time.
    case es256 = "ES256"
    /// ECDSA on P-384.
    case es384 = "ES384"
    /// ECDSA on P-521.
    case es512 = "ES512"
    /// Ed25519.
    case edDSA = "EdDSA"

    var algorithm: SignatureAlgorithm {
        guard let algorithm = SignatureAlgorithm(rawValue: rawValue) else {
            preconditionFailure("\(rawValue) is an algorithm of JOSE")
        }
        return algorithm
    }
}
