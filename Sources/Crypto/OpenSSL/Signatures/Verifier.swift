#if !canImport(CryptoKit)
import COpenSSL

/// Checks signatures of one key by one scheme. Any number of threads may use it at once.
package final class Verifier: Sendable {
    package let scheme: SignatureScheme
    private let kind: KeyKind
    private let engine: SignatureEngine

    /// Throws when the scheme is for another kind of key, or the key too short for it.
    package init(_ key: PublicKey, scheme: SignatureScheme) throws(CryptoError) {
        self.scheme = scheme
        kind = key.kind
        engine = try SignatureEngine(key.handle, kind: key.kind, scheme: scheme, purpose: .verifying)
    }

    /// The length that a signature must have.
    package var signatureByteCount: Int { kind.signatureByteCount }

    /// Whether this is a signature of the whole message. `false` is all there is to know about one that is not: it has
    /// the wrong length (RFC 8017 sections 8.1.2 and 8.2.2, RFC 7518 section 3.4), its numbers are out of range, or it
    /// belongs to another message or key.
    package func isValid(_ signature: Span<UInt8>, for message: Span<UInt8>) -> Bool {
        guard signature.count == signatureByteCount else { return false }
        let valid = signature.withUnsafeBytes { signature in
            message.withUnsafeBytes { message in isValid(signature, for: message) }
        }
        if !valid { ERR_clear_error() }
        return valid
    }

    private func isValid(_ signature: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer) -> Bool {
        guard case .ec(let curve) = kind else { return isValidRaw(signature, for: message) }
        let capacity = ECDSASignature.maximumDERByteCount(curve)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { der in
            guard let length = ECDSASignature.der(of: signature, curve: curve, into: der) else { return false }
            return isValidRaw(UnsafeRawBufferPointer(start: der.baseAddress, count: length), for: message)
        }
    }

    private func isValidRaw(_ raw: UnsafeRawBufferPointer, for message: UnsafeRawBufferPointer) -> Bool {
        let signature = raw.baseAddress?.assumingMemoryBound(to: UInt8.self)
        switch engine {
        case .digest(let hash, let contexts):
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: HashFunction.maximumByteCount) { digest in
                let start = digest.baseAddress.unsafelyUnwrapped
                hash.digest(message, into: start)
                return contexts.use { EVP_PKEY_verify($0, signature, raw.count, start, hash.byteCount) == 1 }
            }
        case .message(let contexts):
            let start = message.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return contexts.use { EVP_DigestVerify($0, signature, raw.count, start, message.count) == 1 }
        }
    }
}
#endif
