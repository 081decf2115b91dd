import Primitives

/// What a PEM block with a public key holds, taken apart and not yet checked.
enum PublicKeyMaterial {
    case rsa(RSAPublicComponents)
    case ec(ECPublicComponents)
    case ed25519([UInt8])

    init(pem text: UnsafeRawBufferPointer) throws(CryptoError) {
        let block = try PEMBlock(text)
        self = try block.bytes.withBytes { (bytes) throws(CryptoError) in
            switch block.content {
            case .subjectPublicKeyInfo: try Self(subjectPublicKeyInfo: bytes)
            case .rsaPublicKey: .rsa(try Self.rsa(pkcs1: bytes))
            case .encryptedPrivateKey, .pkcs8PrivateKey, .rsaPrivateKey, .ecPrivateKey, .dsaPrivateKey,
                .opensshPrivateKey, .certificate, .trustedCertificate, .certificateRequest, .ecParameters,
                .dhParameters, .dsaParameters:
                throw .wrongPEMContent(found: block.content.name, expected: "a public key")
            }
        }
    }

    /// SubjectPublicKeyInfo (RFC 5280 section 4.1.2.7).
    private init(subjectPublicKeyInfo bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        var outer = DERReader(bytes, reading: "the public key")
        var info = try outer.inside(.sequence)
        try outer.requireEnd()
        let algorithm = try KeyAlgorithm(&info)
        let key = try info.bitString()
        try info.requireEnd()
        switch algorithm {
        case .rsa: self = .rsa(try Self.rsa(pkcs1: key))
        case .ec(let curve): self = .ec(try ECPublicComponents(curve: curve, uncompressedPoint: key))
        case .ed25519: self = .ed25519(Array(key))
        }
    }

    /// RSAPublicKey (RFC 8017 appendix A.1.1).
    private static func rsa(pkcs1 bytes: UnsafeRawBufferPointer) throws(CryptoError) -> RSAPublicComponents {
        var outer = DERReader(bytes, reading: "the RSA public key")
        var key = try outer.inside(.sequence)
        try outer.requireEnd()
        let modulus = Array(try key.unsignedInteger())
        let exponent = Array(try key.unsignedInteger())
        try key.requireEnd()
        return RSAPublicComponents(modulus: modulus, exponent: exponent)
    }
}
