#if canImport(CryptoKit)
import Primitives

extension PrivateKey {
    /// How the key is laid out inside the PEM block.
    package enum PEMFormat: Sendable, CaseIterable {
        /// `PRIVATE KEY` (RFC 5208, RFC 5958).
        case pkcs8
    }

    /// Reads exactly one unencrypted key, in any of the formats that the other platforms read: a record that is moved from
    /// one to the other keeps its key.
    package convenience init(pem: Span<UInt8>) throws(CryptoError) {
        let material = try pem.withUnsafeBytes { (text) throws(CryptoError) in
            try PrivateKeyMaterial(pem: text)
        }
        switch material {
        case .ec(let components): try self.init(ec: components)
        case .ecScalar(let curve, let scalar): try self.init(curve: curve, scalar: scalar)
        case .rsa: throw .unsupportedKeyType("RSA")
        case .ed25519: throw .unsupportedKeyType("Ed25519")
        }
    }

    /// The key as PEM text, not encrypted: whoever writes it somewhere must guard the place. To the byte what OpenSSL writes;
    /// CryptoKit would write a text of its own choice, into memory that is not wiped.
    package func pem(_ format: PEMFormat = .pkcs8) throws(CryptoError) -> Secret {
        guard let components = ecComponents else { throw .formatDoesNotFitKey(format: "PKCS#8", key: kind) }
        let point = try components.publicComponents.uncompressedPoint()
        let parts = [Secret(Self.beforeScalar), components.scalar, Secret(Self.beforePoint), Secret(point)]
        let key = Secret(byteCount: parts.reduce(0) { $0 + $1.count }) { key in
            var start = 0
            for part in parts {
                part.withBytes { UnsafeMutableRawBufferPointer(rebasing: key[start...]).copyMemory(from: $0) }
                start += part.count
            }
        }
        return key.withBytes(Self.block)
    }

    /// PrivateKeyInfo (RFC 5208 section 5) of version 0, id-ecPublicKey on prime256v1 (RFC 5480 section 2.1.1), and in it an
    /// ECPrivateKey (RFC 5915 section 3) up to the 32 bytes of its scalar: of one length, since each part has one.
    private static let beforeScalar: [UInt8] = [
        0x30, 0x81, 0x87, 0x02, 0x01, 0x00,
        0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,
        0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
        0x04, 0x6D, 0x30, 0x6B, 0x02, 0x01, 0x01, 0x04, 0x20,
    ]
    /// Its member `publicKey`: a BIT STRING without unused bits.
    private static let beforePoint: [UInt8] = [0xA1, 0x44, 0x03, 0x42, 0x00]

    /// RFC 7468 section 2: lines of 64 characters, of 48 bytes each.
    private static func block(_ der: UnsafeRawBufferPointer) -> Secret {
        let lineByteCount = 48
        var text = Array("-----BEGIN PRIVATE KEY-----\n".utf8)
        // Room for all of it: nothing is left behind in memory that it has grown out of.
        text.reserveCapacity(2 * der.count + 128)
        defer { text.withUnsafeMutableBytes { wipe($0) } }
        for start in stride(from: 0, to: der.count, by: lineByteCount) {
            let line = UnsafeRawBufferPointer(rebasing: der[start..<min(start + lineByteCount, der.count)])
            Base64.append(line.assumingMemoryBound(to: UInt8.self).span, to: &text)
            text.append(UInt8(ascii: "\n"))
        }
        text += "-----END PRIVATE KEY-----\n".utf8
        return Secret(text)
    }
}
#endif
