#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// One message on its way through an authenticating cipher. Each step says whether it succeeded.
///
/// The context holds the key, and is wiped when it is freed. It is made anew for each message: what is sealed here goes to
/// a disk, beside which that costs nothing.
final class CipherOperation {
    enum Direction: Int32 {
        case decrypting = 0
        case encrypting = 1
    }

    private let cipher: CipherImplementation
    private let context = allocated(EVP_CIPHER_CTX_new())

    init(_ cipher: CipherImplementation) {
        self.cipher = cipher
    }

    deinit {
        EVP_CIPHER_CTX_free(context)
    }

    func start(key: Secret, nonce: Span<UInt8>, direction: Direction) -> Bool {
        key.withBytes { key in
            nonce.withUnsafeBytes { nonce in
                EVP_CipherInit_ex2(
                    context, cipher.algorithm, key.assumingMemoryBound(to: UInt8.self).baseAddress,
                    nonce.assumingMemoryBound(to: UInt8.self).baseAddress, direction.rawValue, nil) == 1
            }
        }
    }

    /// What is authenticated and not encrypted.
    func authenticate(_ data: Span<UInt8>) -> Bool {
        guard data.count > 0 else { return true }
        var count: Int32 = 0
        return data.withUnsafeBufferPointer {
            EVP_CipherUpdate(context, nil, &count, $0.baseAddress, Int32($0.count)) == 1
        }
    }

    /// Encrypts or decrypts the whole message to the beginning of `output`.
    func transform(_ message: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Bool {
        guard message.count > 0 else { return true }
        precondition(output.count >= message.count, "room for the message")
        var count: Int32 = 0
        let succeeded = output.withUnsafeMutableBufferPointer { output in
            message.withUnsafeBufferPointer {
                EVP_CipherUpdate(context, output.baseAddress, &count, $0.baseAddress, Int32($0.count)) == 1
            }
        }
        return succeeded && Int(count) == message.count
    }

    /// The end of the message: for one that is decrypted, whether the tag is right.
    func finish() -> Bool {
        var nothing: [UInt8] = [0]
        var count: Int32 = 0
        return EVP_CipherFinal_ex(context, &nothing, &count) == 1 && count == 0
    }

    func copyTag(into output: inout MutableSpan<UInt8>, at offset: Int) -> Bool {
        precondition(output.count == offset + AES256GCM.tagByteCount, "room for the tag")
        return output.withUnsafeMutableBytes {
            EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_GET_TAG, Int32(AES256GCM.tagByteCount), $0.baseAddress! + offset) == 1
        }
    }

    func expectTag(_ tag: Span<UInt8>) -> Bool {
        precondition(tag.count == AES256GCM.tagByteCount, "a whole tag")
        return tag.withUnsafeBytes {
            // It is copied, and not changed: the parameter is one for both directions.
            EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_SET_TAG, Int32($0.count), UnsafeMutableRawPointer(mutating: $0.baseAddress!))
                == 1
        }
    }
}
#endif
