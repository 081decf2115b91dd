#if !canImport(CryptoKit)
import COpenSSL

/// Makes signatures with one key by one scheme. Any number of threads may use it at once.
///
/// Everything that depends on the key and the scheme alone is done once: each signature takes a prepared context that
/// rests in a pool.
package final class Signer: Sendable {
    package let scheme: SignatureScheme
    private let kind: KeyKind
    private let engine: SignatureEngine
    /// Where signatures are faster together.
    private let batch: P256Batch?

    /// Throws when the scheme is for another kind of key, or the key too short for it.
    package init(_ key: PrivateKey, scheme: SignatureScheme) throws(CryptoError) {
        self.scheme = scheme
        kind = key.kind
        engine = try SignatureEngine(key.handle, kind: key.kind, scheme: scheme, purpose: .signing)
        batch = scheme == .ecdsa(.p256, .sha256) ? try P256Batch(key) : nil
    }

    /// The length of every signature that this makes.
    package var signatureByteCount: Int { kind.signatureByteCount }

    package func sign(_ message: Span<UInt8>) throws(CryptoError) -> [UInt8] {
        var signature: [UInt8] = []
        signature.reserveCapacity(signatureByteCount)
        try append(signatureOf: message, to: &signature)
        return signature
    }

    /// Appends the signature, and nothing when it throws.
    package func append(signatureOf message: Span<UInt8>, to output: inout [UInt8]) throws(CryptoError) {
        let capacity = kind.rawSignatureCapacity
        let succeeded = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { raw in
            var length = capacity
            let start = raw.baseAddress.unsafelyUnwrapped
            guard message.withUnsafeBytes({ makeRaw(of: $0, into: start, &length) }) else { return false }
            return finish(UnsafeRawBufferPointer(start: start, count: length), appendingTo: &output)
        }
        guard succeeded else { throw .library("signing by \(scheme)") }
    }

    /// Whether ``signatures(of:)`` takes less time for several messages than for each of them.
    package var isFasterForSeveral: Bool { batch != nil }

    /// The signatures of the messages, one behind the other, each of ``signatureByteCount``.
    package func signatures(of messages: [[UInt8]]) throws(CryptoError) -> [UInt8] {
        var signatures: [UInt8] = []
        guard let batch, messages.count > 1 else {
            signatures.reserveCapacity(messages.count * signatureByteCount)
            for message in messages { try append(signatureOf: message.span, to: &signatures) }
            return signatures
        }
        signatures = [UInt8](repeating: 0, count: messages.count * P256Batch.signatureByteCount)
        let length = P256Batch.numberByteCount
        let signed = withUnsafeTemporaryAllocation(byteCount: messages.count * length, alignment: 1) { digests in
            for (index, message) in messages.enumerated() {
                let place = digests.baseAddress.unsafelyUnwrapped + index * length
                message.withUnsafeBytes {
                    HashFunction.sha256.digest($0, into: place.assumingMemoryBound(to: UInt8.self))
                }
            }
            return signatures.withUnsafeMutableBytes { batch.sign(UnsafeRawBufferPointer(digests), into: $0) }
        }
        guard signed else { throw .library("signing by \(scheme)") }
        return signatures
    }

    private func makeRaw(
        of message: UnsafeRawBufferPointer, into raw: UnsafeMutablePointer<UInt8>, _ length: inout Int
    ) -> Bool {
        switch engine {
        case .digest(let hash, let contexts):
            withUnsafeTemporaryAllocation(of: UInt8.self, capacity: HashFunction.maximumByteCount) { digest in
                let start = digest.baseAddress.unsafelyUnwrapped
                hash.digest(message, into: start)
                return contexts.use { EVP_PKEY_sign($0, raw, &length, start, hash.byteCount) == 1 }
            }
        case .message(let contexts):
            contexts.use { context in
                let start = message.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return EVP_DigestSign(context, raw, &length, start, message.count) == 1
            }
        }
    }

    private func finish(_ raw: UnsafeRawBufferPointer, appendingTo output: inout [UInt8]) -> Bool {
        guard case .ec(let curve) = kind else {
            guard raw.count == signatureByteCount else { return false }
            output.append(contentsOf: raw)
            return true
        }
        return withUnsafeTemporaryAllocation(byteCount: signatureByteCount, alignment: 1) { halves in
            guard ECDSASignature.halves(ofDER: raw, curve: curve, into: halves) else { return false }
            output.append(contentsOf: UnsafeRawBufferPointer(halves))
            return true
        }
    }
}
#endif
