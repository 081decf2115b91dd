#if canImport(CryptoKit)
import CryptoKit

/// Makes signatures with one key of P-256, over SHA-256. Any number of threads may use it at once.
package final class Signer: Sendable {
    package let scheme: SignatureScheme
    private let key: P256.Signing.PrivateKey

    /// Throws for every other scheme.
    package init(_ key: PrivateKey, scheme: SignatureScheme) throws(CryptoError) {
        guard scheme == .ecdsa(.p256, .sha256) else { throw .schemeDoesNotFitKey(scheme: scheme, key: key.kind) }
        self.scheme = scheme
        self.key = key.key
    }

    /// The two numbers one behind the other (RFC 7518 section 3.4), which is how CryptoKit has them too.
    package func sign(_ message: Span<UInt8>) throws(CryptoError) -> [UInt8] {
        guard let signature = message.withUnsafeBytes({ try? key.signature(for: $0) }) else {
            throw .library(operation: "signing by \(scheme)", reason: "unknown reason")
        }
        return Array(signature.rawRepresentation)
    }
}
#endif
