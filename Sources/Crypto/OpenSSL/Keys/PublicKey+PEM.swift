#if !canImport(CryptoKit)
import COpenSSL
import Primitives

extension PublicKey {
    /// How the key is laid out inside the PEM block.
    package enum PEMFormat: Sendable, CaseIterable {
        /// Any key: `PUBLIC KEY` (RFC 5280 section 4.1.2.7).
        case subjectPublicKeyInfo
        /// RSA only: `RSA PUBLIC KEY` (RFC 8017 appendix A.1.1).
        case pkcs1
    }

    /// Reads exactly one public key, in any of the formats of `PEMFormat`.
    package convenience init(pem: String, allowing allowances: KeyAllowances = []) throws(CryptoError) {
        try self.init(pem: pem.utf8.span, allowing: allowances)
    }

    /// Reads exactly one public key, in any of the formats of `PEMFormat`.
    package convenience init(pem: Span<UInt8>, allowing allowances: KeyAllowances = []) throws(CryptoError) {
        let material = try pem.withUnsafeBytes { (text) throws(CryptoError) in
            try PublicKeyMaterial(pem: text)
        }
        switch material {
        case .rsa(let components): try self.init(rsa: components, allowing: allowances)
        case .ec(let components): try self.init(ec: components)
        case .ed25519(let bytes): try self.init(ed25519: bytes)
        }
    }

    /// The key as PEM text.
    package func pem(_ format: PEMFormat = .subjectPublicKeyInfo) throws(CryptoError) -> String {
        let writer = PEMWriter()
        switch (format, kind) {
        case (.subjectPublicKeyInfo, _):
            try writer.write { PEM_write_bio_PUBKEY($0, handle.pointer) }
        case (.pkcs1, .rsa):
            try writer.writePublicPKCS1(of: handle)
        case (.pkcs1, _):
            throw .formatDoesNotFitKey(format: "PKCS#1", key: kind)
        }
        return writer.withText { String(decoding: $0, as: UTF8.self) }
    }
}
#endif
