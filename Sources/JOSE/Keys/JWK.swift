import Crypto
import Primitives

/// A key with what is said about it (RFC 7517 section 4).
///
///     let key = try JWK(parsing: text)
///     key.thumbprint()                                    // NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs
///     key.json(.publicOnly)                               // fit to be published
package struct JWK: Sendable, Equatable {
    /// The `use` of keys for signatures (RFC 7517 section 4.2).
    package static let useForSignatures = "sig"

    package let material: KeyMaterial
    /// `kid`
    package var keyID: String?
    /// `use`
    package var use: String?
    /// `key_ops`
    package var keyOperations: [String]?
    /// `alg`: a name that may be unknown here. A key gets bound to an algorithm by ``SigningKey`` and
    /// ``VerificationKey``.
    package var algorithm: String?
    /// Members that are not interpreted here, such as `x5c`; never a private one.
    package let otherMembers: JSONObject

    package init(
        _ material: KeyMaterial,
        keyID: String? = nil,
        use: String? = nil,
        keyOperations: [String]? = nil,
        algorithm: String? = nil,
        otherMembers: JSONObject = [:]
    ) {
        self.material = material
        self.keyID = keyID
        self.use = use
        self.keyOperations = keyOperations
        self.algorithm = algorithm
        var kept: JSONObject = [:]
        for (name, value) in otherMembers where !Self.interpretedNames.contains(name) { kept[name] = value }
        self.otherMembers = kept
    }

    package var keyType: KeyType { material.keyType }

    /// Whether it can sign. True of a secret.
    package var isPrivate: Bool {
        if case .publicKey = material { false } else { true }
    }

    /// The public half; nil for a secret. What the private half may do to messages, the public half may undo (RFC 7517
    /// section 4.3: sign and verify are the two ends).
    package var publicJWK: JWK? {
        switch material {
        case .symmetric: return nil
        case .publicKey: return self
        case .privateKey(let key):
            return JWK(
                .publicKey(key.publicKey),
                keyID: keyID,
                use: use,
                keyOperations: keyOperations?.contains(KeyOperation.sign.rawValue) == true
                    ? [KeyOperation.verify.rawValue] : keyOperations,
                algorithm: algorithm,
                otherMembers: otherMembers
            )
        }
    }

    /// Every member with a meaning here: those that describe any key, and the parts of the keys of all types. A part of
    /// another type's private key never passes for a harmless extension.
    private static let interpretedNames: Set<String> = [
        "kty", "kid", "use", "key_ops", "alg",
        "crv", "x", "y", "d", "n", "e", "p", "q", "dp", "dq", "qi", "oth", "k",
    ]
}
