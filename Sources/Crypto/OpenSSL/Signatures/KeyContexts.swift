#if !canImport(CryptoKit)
import COpenSSL

/// Contexts that sign or verify digests with one key by one scheme of RSA or ECDSA, prepared once and reused: OpenSSL
/// lets a context be used for any number of operations, one at a time.
final class KeyContexts: Sendable {
    enum Purpose: Sendable {
        case signing, verifying
    }

    private let key: KeyHandle
    private let scheme: SignatureScheme
    private let purpose: Purpose
    private let pool = ContextPool(free: EVP_PKEY_CTX_free)

    /// Makes the first context, so that what does not work fails here and not at the first signature.
    init(_ key: KeyHandle, scheme: SignatureScheme, purpose: Purpose) throws(CryptoError) {
        self.key = key
        self.scheme = scheme
        self.purpose = purpose
        pool.give(try make())
    }

    /// Lends a context; `body` says whether the operation worked. One that did not leaves the context as it was, so
    /// bad signatures cost no more than good ones.
    func use(_ body: (OpaquePointer) -> Bool) -> Bool {
        guard let context = pool.take() ?? (try? make()) else { return false }
        defer { pool.give(context) }
        return body(context)
    }

    private func make() throws(CryptoError) -> OpaquePointer {
        let context = allocated(EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil))
        let started =
            switch purpose {
            case .signing: EVP_PKEY_sign_init(context)
            case .verifying: EVP_PKEY_verify_init(context)
            }
        guard started == 1, configure(context) else {
            defer { EVP_PKEY_CTX_free(context) }
            throw .library("preparing \(scheme)")
        }
        return context
    }

    private func configure(_ context: OpaquePointer) -> Bool {
        switch scheme {
        case .rsaPKCS1(let hash):
            return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
                && EVP_PKEY_CTX_set_signature_md(context, hash.implementation.algorithm) == 1
        case .rsaPSS(let hash):
            // RFC 7518 section 3.5: the salt is as long as the hash, and MGF1 uses the same hash.
            return EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1
                && EVP_PKEY_CTX_set_signature_md(context, hash.implementation.algorithm) == 1
                && EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash.implementation.algorithm) == 1
                && EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1
        case .ecdsa(_, let hash):
            return EVP_PKEY_CTX_set_signature_md(context, hash.implementation.algorithm) == 1
        case .ed25519:
            return false
        }
    }
}
#endif
