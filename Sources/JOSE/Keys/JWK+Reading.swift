import Crypto
import Primitives

extension JWK {
    /// Reads a key from JSON text.
    package init(parsing text: Span<UInt8>, allowing allowances: KeyAllowances = []) throws(JWKError) {
        let json: JSON
        do { json = try JSON(parsing: text, limits: .key) } catch { throw .malformed(error) }
        try self.init(json: json, allowing: allowances)
    }

    /// Reads a key from JSON text.
    package init(parsing text: String, allowing allowances: KeyAllowances = []) throws(JWKError) {
        try self.init(parsing: text.utf8.span, allowing: allowances)
    }

    /// Reads a key. The parts are checked against each other: a point that is not on its curve, or a private half that
    /// does not belong to the public one, makes no key.
    package init(json: JSON, allowing allowances: KeyAllowances = []) throws(JWKError) {
        guard case .object(let object) = json else { throw .notAnObject }
        let members = JWKMembers(object: object)
        let material: KeyMaterial
        switch KeyType(rawValue: try members.requiredText("kty")) {
        case .oct: material = try Self.symmetric(members)
        case .rsa: material = try Self.rsa(members, allowing: allowances)
        case .ec: material = try Self.ellipticCurve(members)
        case .okp: material = try Self.octetKeyPair(members)
        case nil: throw .unsupportedKeyType
        }
        self.init(
            material,
            keyID: try members.text("kid"),
            use: try members.text("use"),
            keyOperations: try members.keyOperations(),
            algorithm: try members.text("alg"),
            otherMembers: object
        )
    }

    /// RFC 7518 section 6.4.
    private static func symmetric(_ members: JWKMembers) throws(JWKError) -> KeyMaterial {
        .symmetric(try members.secretOctets("k"))
    }

    /// RFC 7518 section 6.3.
    private static func rsa(_ members: JWKMembers, allowing allowances: KeyAllowances) throws(JWKError) -> KeyMaterial {
        let publicComponents = RSAPublicComponents(
            modulus: try members.integer("n"), exponent: try members.integer("e"))
        // Section 6.3.2.7: oth MUST NOT be there for two primes.
        if members.has("oth") { throw .unsupportedMultiPrimeKey }
        let factorNames = ["p", "q", "dp", "dq", "qi"]
        let factorCount = factorNames.count { members.has($0) }
        guard members.has("d") else {
            if factorCount > 0 { throw .partialPrivateKey }
            return .publicKey(
                try refusing { () throws(CryptoError) in try PublicKey(rsa: publicComponents, allowing: allowances) })
        }
        // Section 6.3.2: if the producer includes any of the other private key parameters, then all of the others MUST
        // be present; d alone is enough.
        guard factorCount == 0 || factorCount == factorNames.count else { throw .partialPrivateKey }
        let privateComponents = RSAPrivateComponents(
            publicComponents: publicComponents,
            privateExponent: try members.secretInteger("d"),
            factors: factorCount == 0
                ? nil
                : RSAPrivateComponents.Factors(
                    prime1: try members.secretInteger("p"),
                    prime2: try members.secretInteger("q"),
                    exponent1: try members.secretInteger("dp"),
                    exponent2: try members.secretInteger("dq"),
                    coefficient: try members.secretInteger("qi")
                )
        )
        return .privateKey(
            try refusing { () throws(CryptoError) in try PrivateKey(rsa: privateComponents, allowing: allowances) })
    }

    /// RFC 7518 section 6.2: the octets of each coordinate, and of the private scalar, are as many as the curve's field
    /// needs, leading zeros and all.
    private static func ellipticCurve(_ members: JWKMembers) throws(JWKError) -> KeyMaterial {
        let name = try members.requiredText("crv")
        guard let curve = Curve.allCases.first(where: { sameText($0.jwkName, name) }) else { throw .unsupportedCurve }
        let length = curve.fieldByteCount
        let publicComponents = ECPublicComponents(
            curve: curve, x: try members.octets("x", count: length), y: try members.octets("y", count: length))
        guard members.has("d") else {
            return .publicKey(try refusing { () throws(CryptoError) in try PublicKey(ec: publicComponents) })
        }
        let privateComponents = ECPrivateComponents(
            publicComponents: publicComponents, scalar: try members.secretOctets("d", count: length))
        return .privateKey(try refusing { () throws(CryptoError) in try PrivateKey(ec: privateComponents) })
    }

    /// RFC 8037 section 2.
    private static func octetKeyPair(_ members: JWKMembers) throws(JWKError) -> KeyMaterial {
        guard sameText(try members.requiredText("crv"), JWK.ed25519CurveName) else { throw .unsupportedCurve }
        let publicKey = try members.octets("x", count: 32)
        guard members.has("d") else {
            return .publicKey(try refusing { () throws(CryptoError) in try PublicKey(ed25519: publicKey) })
        }
        let seed = try members.secretOctets("d", count: 32)
        return .privateKey(
            try refusing { () throws(CryptoError) in try PrivateKey(ed25519Seed: seed, publicKey: publicKey) })
    }

    private static func refusing<Key>(_ make: () throws(CryptoError) -> Key) throws(JWKError) -> Key {
        do { return try make() } catch { throw .refused(error) }
    }
}

extension JSONLimits {
    /// The largest RSA keys that are read need 15 KiB; certificates come on top.
    static let key = JSONLimits(bytes: 64 << 10, depth: 8, members: 100)
}
