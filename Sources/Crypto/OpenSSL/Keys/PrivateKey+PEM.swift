#if !canImport(CryptoKit)
import COpenSSL
import Primitives

extension PrivateKey {
    /// How the key is laid out inside the PEM block.
    package enum PEMFormat: Sendable, CaseIterable {
        /// Any key: `PRIVATE KEY` (RFC 5208, RFC 5958).
        case pkcs8
        /// RSA only: `RSA PRIVATE KEY` (RFC 8017 appendix A.1.2).
        case pkcs1
        /// EC only: `EC PRIVATE KEY` (RFC 5915).
        case sec1
    }

    /// Reads exactly one unencrypted key, in any of the formats of `PEMFormat`.
    package convenience init(pem: String, allowing allowances: KeyAllowances = []) throws(CryptoError) {
        try self.init(pem: pem.utf8.span, allowing: allowances)
    }

    /// Reads exactly one unencrypted key, in any of the formats of `PEMFormat`.
    package convenience init(pem: Span<UInt8>, allowing allowances: KeyAllowances = []) throws(CryptoError) {
        let material = try pem.withUnsafeBytes { (text) throws(CryptoError) in
            try PrivateKeyMaterial(pem: text)
        }
        switch material {
        case .rsa(let components): try self.init(rsa: components, allowing: allowances)
        case .ec(let components): try self.init(ec: components)
        case .ecScalar(let curve, let scalar): try self.init(curve: curve, scalar: scalar)
        case .ed25519(let seed, let publicKey): try self.init(ed25519Seed: seed, publicKey: publicKey)
        }
    }

    /// The key as PEM text, not encrypted: whoever writes it somewhere must guard the place.
    package func pem(_ format: PEMFormat = .pkcs8) throws(CryptoError) -> Secret {
        let writer = PEMWriter()
        switch (format, kind) {
        case (.pkcs8, _):
            try writer.write { PEM_write_bio_PKCS8PrivateKey($0, handle.pointer, nil, nil, 0, nil, nil) }
        case (.pkcs1, .rsa), (.sec1, .ec):
            try writer.write { PEM_write_bio_PrivateKey_traditional($0, handle.pointer, nil, nil, 0, nil, nil) }
        case (.pkcs1, _):
            throw .formatDoesNotFitKey(format: "PKCS#1", key: kind)
        case (.sec1, _):
            throw .formatDoesNotFitKey(format: "SEC1", key: kind)
        }
        return writer.withText { Secret($0) }
    }
}
#endif
