#if !canImport(CryptoKit)
import COpenSSL

/// Collects what OpenSSL writes. Its memory is wiped when it goes.
final class PEMWriter {
    private let output = allocated(BIO_new(BIO_s_mem()))

    deinit {
        BIO_free(output)
    }

    func write(_ body: (OpaquePointer) -> Int32) throws(CryptoError) {
        guard body(output) == 1 else { throw .library("writing the key") }
    }

    /// The one format that has an encoder, but no function of its own.
    func writePublicPKCS1(of key: KeyHandle) throws(CryptoError) {
        let encoder = allocated(
            OSSL_ENCODER_CTX_new_for_pkey(key.pointer, pawl_selection_public_key(), "PEM", "type-specific", nil))
        defer { OSSL_ENCODER_CTX_free(encoder) }
        try write { OSSL_ENCODER_to_bio(encoder, $0) }
    }

    func withText<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        var start: UnsafeMutablePointer<CChar>?
        let length = pawl_memory_bio_text(output, &start)
        return body(UnsafeRawBufferPointer(start: start, count: length))
    }
}
#endif
