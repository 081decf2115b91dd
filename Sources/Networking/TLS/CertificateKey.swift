import COpenSSL

/// An ECDSA key over P-256 for a certificate.
final class CertificateKey {
    let pointer: OpaquePointer

    private init(adopting pointer: OpaquePointer) {
        self.pointer = pointer
    }

    deinit {
        EVP_PKEY_free(pointer)
    }

    static func generate() throws(NetworkingError) -> CertificateKey {
        guard let pointer = pawl_generate_P256_key() else { throw OpenSSLErrors.failure("cannot make a key") }
        return CertificateKey(adopting: pointer)
    }

    /// `nil` for anything but one unencrypted private key.
    init?(pem: [UInt8]) {
        let read = PEMText.read(pem) { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
        guard let read else { return nil }
        pointer = read
    }

    func pem() throws(NetworkingError) -> [UInt8] {
        try PEMText.write { PEM_write_bio_PrivateKey($0, pointer, nil, nil, 0, nil, nil) }
    }
}

/// What OpenSSL writes into memory, and reads from there.
enum PEMText {
    /// `nil` where `body` finds nothing.
    static func read(_ text: [UInt8], by body: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        // The BIO reads the bytes where they are, for as long as it lives.
        text.withUnsafeBytes { text in
            guard let bio = BIO_new_mem_buf(text.baseAddress, Int32(text.count)) else { return nil }
            defer { BIO_free(bio) }
            let read = body(bio)
            if read == nil { ERR_clear_error() }
            return read
        }
    }

    static func write(_ body: (OpaquePointer) -> Int32) throws(NetworkingError) -> [UInt8] {
        guard let bio = BIO_new(BIO_s_mem()) else { throw OpenSSLErrors.failure("PEM") }
        defer { BIO_free(bio) }
        guard body(bio) == 1 else { throw OpenSSLErrors.failure("PEM") }
        var text: UnsafeMutablePointer<CChar>?
        let count = pawl_memory_bio_text(bio, &text)
        let bytes = UnsafeRawBufferPointer(start: text, count: count)
        return [UInt8](bytes)
    }
}
