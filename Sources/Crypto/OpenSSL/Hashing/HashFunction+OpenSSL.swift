#if !canImport(CryptoKit)
extension HashFunction {
    /// What HMAC pads a key to (RFC 2104 section 2).
    var blockByteCount: Int {
        switch self {
        case .sha256: 64
        case .sha384, .sha512: 128
        }
    }

    /// Writes `byteCount` bytes to `output`.
    func digest(_ message: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) {
        implementation.digest(message, into: output)
    }

    /// Looked up once for the process: a lookup by name costs more than a short digest.
    var implementation: DigestImplementation {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}
#endif
