#if !canImport(CryptoKit)
import COpenSSL

/// Contexts for Ed25519, which signs whole messages and no digests (RFC 8032 section 5.1.6). One is prepared; each use
/// works on a copy, for OpenSSL does not promise that such a context can be used twice.
final class MessageContexts: Sendable {
    private let key: KeyHandle
    // Read only after the initialiser; copying from a context does not change it.
    private nonisolated(unsafe) let prepared: OpaquePointer
    private let pool = ContextPool(free: EVP_MD_CTX_free)

    init(_ key: KeyHandle, purpose: KeyContexts.Purpose) throws(CryptoError) {
        self.key = key
        prepared = allocated(EVP_MD_CTX_new())
        let started =
            switch purpose {
            case .signing: EVP_DigestSignInit_ex(prepared, nil, nil, nil, nil, key.pointer, nil)
            case .verifying: EVP_DigestVerifyInit_ex(prepared, nil, nil, nil, nil, key.pointer, nil)
            }
        guard started == 1 else { throw .library("preparing Ed25519") }
    }

    deinit {
        EVP_MD_CTX_free(prepared)
    }

    /// Lends a context; `body` says whether the operation worked.
    func use(_ body: (OpaquePointer) -> Bool) -> Bool {
        let context = pool.take() ?? allocated(EVP_MD_CTX_new())
        defer { pool.give(context) }
        return EVP_MD_CTX_copy_ex(context, prepared) == 1 && body(context)
    }
}
#endif
