import Primitives

/// What a PEM block with a private key holds, taken apart and not yet checked.
enum PrivateKeyMaterial {
    case rsa(RSAPrivateComponents)
    case ec(ECPrivateComponents)
    /// The public point may be left out (RFC 5915 section 3).
    case ecScalar(Curve, Secret)
    case ed25519(seed: Secret, publicKey: [UInt8]?)

    init(pem text: UnsafeRawBufferPointer) throws(CryptoError) {
        let block = try PEMBlock(text)
        self = try block.bytes.withBytes { (bytes) throws(CryptoError) in
            switch block.content {
            case .pkcs8PrivateKey: try Self(pkcs8: bytes)
            case .rsaPrivateKey: .rsa(try Self.rsa(pkcs1: bytes))
            case .ecPrivateKey: try Self(sec1: bytes, curve: nil)
            case .encryptedPrivateKey: throw .encryptedKey
            case .dsaPrivateKey: throw .unsupportedKeyType("DSA")
            case .subjectPublicKeyInfo, .rsaPublicKey, .opensshPrivateKey, .certificate, .trustedCertificate,
                .certificateRequest, .ecParameters, .dhParameters, .dsaParameters:
                throw .wrongPEMContent(found: block.content.name, expected: "a private key")
            }
        }
    }

    /// OneAsymmetricKey (RFC 5958 section 2): version 0 is the PrivateKeyInfo of RFC 5208 section 5, version 1 has the
    /// public key too.
    private init(pkcs8 bytes: UnsafeRawBufferPointer) throws(CryptoError) {
        var outer = DERReader(bytes, reading: "the private key")
        var info = try outer.inside(.sequence)
        try outer.requireEnd()
        let version = try info.version()
        guard version <= 1 else { throw info.failure("an unknown version") }
        let algorithm = try KeyAlgorithm(&info)
        let key = try info.content(.octetString)
        if info.isNext(.constructed0) { _ = try info.content(.constructed0) }
        var publicKey: [UInt8]?
        if info.isNext(.primitive1) { publicKey = Array(try info.bitString(.primitive1)) }
        guard (version == 1) == (publicKey != nil) else {
            throw info.failure("version 1 is for a public key beside the private one, and for nothing else")
        }
        try info.requireEnd()
        // Keys of the other kinds repeat the public key inside, where it is checked.
        guard publicKey == nil || algorithm == .ed25519 else {
            throw info.failure("version 1 is read for Ed25519 only")
        }
        switch algorithm {
        case .rsa: self = .rsa(try Self.rsa(pkcs1: key))
        case .ec(let curve): try self.init(sec1: key, curve: curve)
        case .ed25519:
            // RFC 8410 section 7: the seed is an OCTET STRING inside the OCTET STRING.
            var inner = DERReader(key, reading: "the Ed25519 private key")
            let seed = Secret(try inner.content(.octetString))
            try inner.requireEnd()
            self = .ed25519(seed: seed, publicKey: publicKey)
        }
    }

    /// RSAPrivateKey (RFC 8017 appendix A.1.2).
    private static func rsa(pkcs1 bytes: UnsafeRawBufferPointer) throws(CryptoError) -> RSAPrivateComponents {
        var outer = DERReader(bytes, reading: "the RSA private key")
        var key = try outer.inside(.sequence)
        try outer.requireEnd()
        switch try key.version() {
        case 0: break
        case 1: throw .multiPrimeRSA
        default: throw key.failure("an unknown version")
        }
        let modulus = Array(try key.unsignedInteger())
        let publicExponent = Array(try key.unsignedInteger())
        let privateExponent = Secret(try key.unsignedInteger())
        let factors = RSAPrivateComponents.Factors(
            prime1: Secret(try key.unsignedInteger()),
            prime2: Secret(try key.unsignedInteger()),
            exponent1: Secret(try key.unsignedInteger()),
            exponent2: Secret(try key.unsignedInteger()),
            coefficient: Secret(try key.unsignedInteger()))
        try key.requireEnd()
        return RSAPrivateComponents(
            publicComponents: RSAPublicComponents(modulus: modulus, exponent: publicExponent),
            privateExponent: privateExponent, factors: factors)
    }

    /// ECPrivateKey (RFC 5915 section 3). Inside PKCS#8 the curve is known already and need not be repeated.
    private init(sec1 bytes: UnsafeRawBufferPointer, curve knownCurve: Curve?) throws(CryptoError) {
        var outer = DERReader(bytes, reading: "the EC private key")
        var key = try outer.inside(.sequence)
        try outer.requireEnd()
        guard try key.version() == 1 else { throw key.failure("an unknown version") }
        let scalar = Secret(try key.content(.octetString))
        var curve = knownCurve
        if key.isNext(.constructed0) {
            var parameters = try key.inside(.constructed0)
            let named = try KeyAlgorithm.curve(&parameters)
            try parameters.requireEnd()
            guard knownCurve == nil || knownCurve == named else {
                throw .inconsistentKey("two different curves are named")
            }
            curve = named
        }
        guard let curve else { throw key.failure("no curve is named") }
        guard key.isNext(.constructed1) else {
            try key.requireEnd()
            self = .ecScalar(curve, scalar)
            return
        }
        var wrapper = try key.inside(.constructed1)
        let point = try ECPublicComponents(curve: curve, uncompressedPoint: try wrapper.bitString())
        try wrapper.requireEnd()
        try key.requireEnd()
        self = .ec(ECPrivateComponents(publicComponents: point, scalar: scalar))
    }
}
