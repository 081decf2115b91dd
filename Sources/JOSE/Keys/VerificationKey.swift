import Crypto
import Primitives

/// A public or symmetric key that verifies signatures of exactly one algorithm.
///
/// The algorithm belongs to the key, not to the token: RFC 8725 section 3.1. A public RSA key therefore never becomes
/// an HMAC secret, whatever a header says.
package struct VerificationKey: Sendable {
    private enum Mechanism: Sendable {
        case hmac(HMAC)
        case verifier(Verifier)
    }

    package let algorithm: SignatureAlgorithm
    package let keyID: String?
    private let mechanism: Mechanism

    /// Binds the key to `algorithm`, or to the one that follows from the key itself: from its `alg`, or its curve.
    ///
    /// A private key lends its public half. `use` and `key_ops` must permit verification.
    package init(_ jwk: JWK, algorithm: SignatureAlgorithm? = nil) throws(JWKError) {
        try jwk.requirePermission(for: .verify)
        try self.init(counterpartOf: jwk, algorithm: jwk.bindingAlgorithm(algorithm))
    }

    /// The other half of a signing key, whose `key_ops` may permit nothing but signing.
    init(counterpartOf jwk: JWK, algorithm: SignatureAlgorithm) throws(JWKError) {
        self.algorithm = algorithm
        keyID = jwk.keyID
        switch (algorithm.mechanism, jwk.material) {
        case (.hmac(let hash), .symmetric(let secret)):
            mechanism = .hmac(try HMAC(hash, checkedKey: secret))
        case (.asymmetric(let scheme), .publicKey(let key)):
            mechanism = .verifier(try Verifier(key, checkedFor: scheme))
        case (.asymmetric(let scheme), .privateKey(let key)):
            mechanism = .verifier(try Verifier(key.publicKey, checkedFor: scheme))
        default:
            throw .unfit(algorithm)
        }
    }

    /// The length that every signature has.
    package var signatureByteCount: Int {
        switch mechanism {
        case .hmac(let hmac): hmac.hash.byteCount
        case .verifier(let verifier): verifier.signatureByteCount
        }
    }

    package func isValid(_ signature: Span<UInt8>, for message: Span<UInt8>) -> Bool {
        switch mechanism {
        case .hmac(let hmac): hmac.isValid(signature, for: message)
        case .verifier(let verifier): verifier.isValid(signature, for: message)
        }
    }
}

extension HMAC {
    /// RFC 7518 section 3.2: a key of the same size as the hash output or larger MUST be used.
    convenience init(_ hash: HashFunction, checkedKey key: Secret) throws(JWKError) {
        guard key.count >= hash.byteCount else { throw .secretTooShort(minimumByteCount: hash.byteCount) }
        self.init(hash, key: key)
    }
}

extension Verifier {
    convenience init(_ key: PublicKey, checkedFor scheme: SignatureScheme) throws(JWKError) {
        do { try self.init(key, scheme: scheme) } catch { throw .refused(error) }
    }
}
