#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// Encryption that notices every change: AES-256 in Galois/Counter Mode (NIST SP 800-38D, RFC 5116 section 5.2).
///
///     let cipher = try AES256GCM(key: Secret(randomByteCount: AES256GCM.keyByteCount, from: random))
///     let nonce = random.bytes(AES256GCM.nonceByteCount)
///     let sealed = try cipher.seal(message.span, nonce: nonce.span, authenticating: header.span)
///     let opened = try cipher.open(sealed.span, nonce: nonce.span, authenticating: header.span)
///
/// A nonce must never be used twice with one key: whoever has two messages of one nonce can make up a third. Random ones
/// are good for 2^32 messages of a key (SP 800-38D section 8.3).
package final class AES256GCM: Sendable {
    private let key: Secret

    package init(key: Secret) throws(CryptoError) {
        try Self.check(key)
        self.key = key
    }

    /// The ciphertext, and the tag behind it.
    package func seal(
        _ plaintext: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        try Self.check(nonce)
        precondition(plaintext.count <= Self.greatestMessageByteCount, "more than one message can have")
        let operation = CipherOperation(.aes256GCM)
        var sealed = [UInt8](repeating: 0, count: plaintext.count + Self.tagByteCount)
        var output = sealed.mutableSpan
        let succeeded =
            operation.start(key: key, nonce: nonce, direction: .encrypting)
            && operation.authenticate(data)
            && operation.transform(plaintext, into: &output)
            && operation.finish()
            && operation.copyTag(into: &output, at: plaintext.count)
        guard succeeded else { throw .library("encrypting") }
        return sealed
    }

    /// What was sealed with this key, this nonce and this data; for anything else it throws ``CryptoError/notAuthentic``,
    /// and nobody sees what it would have been.
    package func open(
        _ sealed: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        try Self.check(nonce)
        let count = sealed.count - Self.tagByteCount
        guard count >= 0, count <= Self.greatestMessageByteCount else { throw .notAuthentic }
        let operation = CipherOperation(.aes256GCM)
        var opened = [UInt8](repeating: 0, count: count)
        var output = opened.mutableSpan
        guard
            operation.start(key: key, nonce: nonce, direction: .decrypting)
                && operation.authenticate(data)
                && operation.transform(sealed.extracting(..<count), into: &output)
                && operation.expectTag(sealed.extracting(count...))
        else {
            output.withUnsafeMutableBytes { wipe($0) }
            throw .library("decrypting")
        }
        // SP 800-38D section 7.2, step 8: before this nothing of the plaintext may be used.
        guard operation.finish() else {
            output.withUnsafeMutableBytes { wipe($0) }
            // The library has no reason to give, but whatever is in its queue is not for the next call.
            ERR_clear_error()
            throw .notAuthentic
        }
        return opened
    }
}
#endif
