#if !canImport(CryptoKit)
import COpenSSL

/// A hash function as OpenSSL has fetched it, with contexts at rest for whoever needs one.
final class DigestImplementation: Sendable {
    static let sha256 = DigestImplementation("SHA256")
    static let sha384 = DigestImplementation("SHA384")
    static let sha512 = DigestImplementation("SHA512")

    /// The EVP_MD.
    nonisolated(unsafe) let algorithm: OpaquePointer
    let contexts = ContextPool(free: EVP_MD_CTX_free)

    private init(_ name: String) {
        guard let algorithm = EVP_MD_fetch(nil, name, nil) else {
            preconditionFailure("this OpenSSL offers no \(name)")
        }
        self.algorithm = algorithm
    }

    deinit {
        EVP_MD_free(algorithm)
    }

    func digest(_ message: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) {
        let context = contexts.take() ?? allocated(EVP_MD_CTX_new())
        digest(message, into: output, by: context)
        contexts.give(context)
    }

    /// Hashes what must not be left behind: a context at rest still has what it hashed last, and this one is wiped and freed.
    func digestSecrets(_ body: ((UnsafeRawBufferPointer, UnsafeMutablePointer<UInt8>) -> Void) -> Void) {
        let context = allocated(EVP_MD_CTX_new())
        defer { EVP_MD_CTX_free(context) }
        body { digest($0, into: $1, by: context) }
    }

    private func digest(
        _ message: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>, by context: OpaquePointer
    ) {
        let succeeded =
            EVP_DigestInit_ex2(context, algorithm, nil) == 1
            && EVP_DigestUpdate(context, message.baseAddress, message.count) == 1
            && EVP_DigestFinal_ex(context, output, nil) == 1
        // Hashing bytes in memory fails for want of memory only.
        precondition(succeeded, "OpenSSL could not hash")
    }
}
#endif
