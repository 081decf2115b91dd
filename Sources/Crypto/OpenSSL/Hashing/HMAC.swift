#if !canImport(CryptoKit)
import COpenSSL
import Primitives

/// Message authentication with a shared key (RFC 2104).
///
/// The two blocks that depend on the key alone are hashed once, here; each message starts from a copy of that state.
package final class HMAC: Sendable {
    package let hash: HashFunction
    private let codeByteCount: Int
    private let contexts: ContextPool
    // Read only after the initialiser; copying from a context does not change it.
    private nonisolated(unsafe) let inner: OpaquePointer
    private nonisolated(unsafe) let outer: OpaquePointer

    /// Any length of key works: how long it must be is the business of whoever uses it (RFC 7518 section 3.2).
    package init(_ hash: HashFunction, key: Secret) {
        self.hash = hash
        codeByteCount = hash.byteCount
        let implementation = hash.implementation
        contexts = implementation.contexts
        // A key longer than a block is replaced by its digest (RFC 2104 section 2).
        let block = Secret(byteCount: hash.blockByteCount) { block in
            key.withBytes { key in
                if key.count > block.count {
                    hash.digest(key, into: block.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: UInt8.self))
                } else {
                    block.copyBytes(from: key)
                }
            }
        }
        inner = Self.absorbed(block, mask: 0x36, implementation)
        outer = Self.absorbed(block, mask: 0x5C, implementation)
    }

    deinit {
        EVP_MD_CTX_free(inner)
        EVP_MD_CTX_free(outer)
    }

    /// A context that has hashed one block: the key, masked.
    private static func absorbed(_ block: Secret, mask: UInt8, _ digest: DigestImplementation) -> OpaquePointer {
        let context = allocated(EVP_MD_CTX_new())
        let masked = Secret(byteCount: block.count) { masked in
            block.withBytes { block in
                for index in 0..<block.count { masked[index] = block[index] ^ mask }
            }
        }
        let succeeded = masked.withBytes {
            EVP_DigestInit_ex2(context, digest.algorithm, nil) == 1
                && EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1
        }
        precondition(succeeded, "OpenSSL could not hash")
        return context
    }

    package func authenticate(_ message: Span<UInt8>) -> [UInt8] {
        [UInt8](byteCount: codeByteCount) { authenticate(message, into: $0.baseAddress.unsafelyUnwrapped) }
    }

    package func append(codeFor message: Span<UInt8>, to output: inout [UInt8]) {
        output.append(addingCapacity: codeByteCount) { room in
            room.withUnsafeMutableBufferPointer { room, count in
                authenticate(message, into: room.baseAddress.unsafelyUnwrapped + count)
                count += codeByteCount
            }
        }
    }

    /// Whether `code` is the whole code of the message. Takes the same time wherever the difference is; a shortened
    /// code is refused.
    package func isValid(_ code: Span<UInt8>, for message: Span<UInt8>) -> Bool {
        guard code.count == codeByteCount else { return false }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: codeByteCount) { expected in
            authenticate(message, into: expected.baseAddress.unsafelyUnwrapped)
            // What was expected is a valid code for a message that somebody else chose.
            defer { wipe(UnsafeMutableRawBufferPointer(expected)) }
            return code.withUnsafeBytes { constantTimeEquals($0, UnsafeRawBufferPointer(expected)) }
        }
    }

    private func authenticate(_ message: Span<UInt8>, into output: UnsafeMutablePointer<UInt8>) {
        let context = contexts.take() ?? allocated(EVP_MD_CTX_new())
        let succeeded =
            EVP_MD_CTX_copy_ex(context, inner) == 1
            && message.withUnsafeBytes({ EVP_DigestUpdate(context, $0.baseAddress, $0.count) }) == 1
            && EVP_DigestFinal_ex(context, output, nil) == 1
            && EVP_MD_CTX_copy_ex(context, outer) == 1
            && EVP_DigestUpdate(context, output, codeByteCount) == 1
            && EVP_DigestFinal_ex(context, output, nil) == 1
        // Hashing bytes in memory fails for want of memory only.
        precondition(succeeded, "OpenSSL could not hash")
        contexts.give(context)
    }
}
#endif
