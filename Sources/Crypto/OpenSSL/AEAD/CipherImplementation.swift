#if !canImport(CryptoKit)
import COpenSSL

/// A cipher as OpenSSL has fetched it, once for the process.
final class CipherImplementation: Sendable {
    static let aes256GCM = CipherImplementation("AES-256-GCM")

    /// The EVP_CIPHER.
    nonisolated(unsafe) let algorithm: OpaquePointer

    private init(_ name: String) {
        guard let algorithm = EVP_CIPHER_fetch(nil, name, nil) else {
            preconditionFailure("this OpenSSL offers no \(name)")
        }
        self.algorithm = algorithm
    }

    deinit {
        EVP_CIPHER_free(algorithm)
    }
}
#endif
