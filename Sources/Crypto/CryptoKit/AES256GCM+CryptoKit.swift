#if canImport(CryptoKit)
import CryptoKit
import Foundation
import Primitives

/// Encryption that notices every change: AES-256 in Galois/Counter Mode (NIST SP 800-38D, RFC 5116 section 5.2). Seals and
/// opens the same bytes as the one over OpenSSL.
///
/// A nonce must never be used twice with one key: whoever has two messages of one nonce can make up a third. Random ones
/// are good for 2^32 messages of a key (SP 800-38D section 8.3).
package final class AES256GCM: Sendable {
    private let key: SymmetricKey

    package init(key: Secret) throws(CryptoError) {
        try Self.check(key)
        self.key = key.withBytes { SymmetricKey(data: $0) }
    }

    /// The ciphertext, and the tag behind it.
    package func seal(
        _ plaintext: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        try Self.check(nonce)
        precondition(plaintext.count <= Self.greatestMessageByteCount, "more than one message can have")
        let box = try? plaintext.withUnsafeBytes { plaintext in
            try data.withUnsafeBytes { data in
                try AES.GCM.seal(plaintext, using: key, nonce: Self.nonce(nonce), authenticating: data)
            }
        }
        guard let box else { throw .library(operation: "encrypting", reason: "unknown reason") }
        return Array(box.ciphertext) + Array(box.tag)
    }

    /// What was sealed with this key, this nonce and this data; for anything else it throws ``CryptoError/notAuthentic``,
    /// and nobody sees what it would have been.
    package func open(
        _ sealed: Span<UInt8>, nonce: Span<UInt8>, authenticating data: Span<UInt8>
    ) throws(CryptoError) -> [UInt8] {
        try Self.check(nonce)
        let count = sealed.count - Self.tagByteCount
        guard count >= 0, count <= Self.greatestMessageByteCount else { throw .notAuthentic }
        let opened = try? sealed.withUnsafeBytes { sealed in
            try data.withUnsafeBytes { data in
                let box = try AES.GCM.SealedBox(
                    nonce: Self.nonce(nonce), ciphertext: sealed[..<count], tag: sealed[count...])
                return try AES.GCM.open(box, using: key, authenticating: data)
            }
        }
        guard var opened else { throw .notAuthentic }
        defer { opened.withUnsafeMutableBytes { wipe($0) } }
        return Array(opened)
    }

    private static func nonce(_ bytes: Span<UInt8>) throws -> AES.GCM.Nonce {
        try bytes.withUnsafeBytes { try AES.GCM.Nonce(data: $0) }
    }
}
#endif
