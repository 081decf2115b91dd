import Crypto
import Primitives

extension JWK {
    /// How much of a key leaves the process.
    package enum Contents: Sendable, Hashable {
        /// What may be published.
        case publicOnly
        /// With the private members, in the clear.
        case includingPrivate
    }

    static let ed25519CurveName = "Ed25519"

    /// The key as JSON; nil if the public part of a secret is asked for, since there is none.
    package func json(_ contents: Contents) -> JSON? {
        guard let shown = contents == .publicOnly ? publicJWK : self else { return nil }
        var object: JSONObject = [:]
        object["kty"] = .string(shown.keyType.rawValue)
        if let use = shown.use { object["use"] = .string(use) }
        if let operations = shown.keyOperations { object["key_ops"] = .array(operations.map(JSON.string)) }
        if let algorithm = shown.algorithm { object["alg"] = .string(algorithm) }
        if let keyID = shown.keyID { object["kid"] = .string(keyID) }
        for (name, value) in shown.publicMembers + shown.privateMembers { object[name] = .string(value) }
        for (name, value) in shown.otherMembers { object[name] = value }
        return .object(object)
    }

    /// The members that make up the public key, with the curve (RFC 7518 sections 6.2.1 and 6.3.1, RFC 8037 section 2).
    var publicMembers: [(name: String, value: String)] {
        switch material {
        case .symmetric: []
        case .publicKey(let key): Self.members(of: key)
        case .privateKey(let key): Self.members(of: key.publicKey)
        }
    }

    private static func members(of key: PublicKey) -> [(name: String, value: String)] {
        if let components = key.rsaComponents {
            return [("n", Base64URL.encode(components.modulus)), ("e", Base64URL.encode(components.exponent))]
        }
        if let components = key.ecComponents {
            return [
                ("crv", components.curve.jwkName),
                ("x", Base64URL.encode(components.x)),
                ("y", Base64URL.encode(components.y)),
            ]
        }
        guard let bytes = key.ed25519Bytes else { preconditionFailure("a key of a kind that has no members") }
        return [("crv", ed25519CurveName), ("x", Base64URL.encode(bytes))]
    }

    /// RFC 7518 sections 6.2.2, 6.3.2 and 6.4, RFC 8037 section 2.
    private var privateMembers: [(name: String, value: String)] {
        switch material {
        case .symmetric(let secret): [("k", secret.base64URL)]
        case .publicKey: []
        case .privateKey(let key): Self.privateMembers(of: key)
        }
    }

    private static func privateMembers(of key: PrivateKey) -> [(name: String, value: String)] {
        if let components = key.rsaComponents {
            var members = [("d", components.privateExponent.base64URL)]
            if let factors = components.factors {
                members.append(("p", factors.prime1.base64URL))
                members.append(("q", factors.prime2.base64URL))
                members.append(("dp", factors.exponent1.base64URL))
                members.append(("dq", factors.exponent2.base64URL))
                members.append(("qi", factors.coefficient.base64URL))
            }
            return members
        }
        guard let secret = key.ecComponents?.scalar ?? key.ed25519Seed else {
            preconditionFailure("a key of a kind that has no members")
        }
        return [("d", secret.base64URL)]
    }
}

extension Curve {
    /// `crv` (RFC 7518 section 6.2.1.1).
    var jwkName: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        }
    }
}

extension Secret {
    /// In the clear: for keys that are exported, and for what the thumbprint of a secret is computed from.
    var base64URL: String {
        withBytes { bytes in
            Base64URL.encode(Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
        }
    }
}
