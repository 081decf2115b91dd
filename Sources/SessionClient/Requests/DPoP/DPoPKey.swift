import Crypto
import Primitives

/// The key that the tokens of one session are bound to (RFC 9449): whoever steals a token without it has nothing.
///
///     let key = try DPoPKey.generate()
///     record.key = try key.pem()                      // a Secret: PKCS#8, for an encrypted store
///     let same = try DPoPKey(pem: record.key)
package struct DPoPKey: Sendable {
    /// ES256: what every server takes that takes proofs.
    package static let algorithm = "ES256"

    /// Names the key: the thumbprint of RFC 7638, which servers write into a token as `jkt`.
    package let thumbprint: String
    /// The public half, as it stands in the header of each proof.
    let publicKey: JSON
    private let key: PrivateKey
    private let signer: Signer

    package static func generate() throws(CryptoError) -> DPoPKey {
        try DPoPKey(PrivateKey.generate(.ec(.p256)))
    }

    /// Reads what ``pem()`` has written.
    package init(pem: Secret) throws(CryptoError) {
        let key = try pem.withBytes { bytes throws(CryptoError) in
            try PrivateKey(pem: bytes.assumingMemoryBound(to: UInt8.self).span)
        }
        try self.init(key)
    }

    private init(_ key: PrivateKey) throws(CryptoError) {
        // Throws for every key that is not one of the curve.
        signer = try Signer(key, scheme: .ecdsa(.p256, .sha256))
        guard let point = key.publicKey.ecComponents else { throw .unsupportedPointForm }
        let (x, y) = (Base64URL.encode(point.x), Base64URL.encode(point.y))
        self.key = key
        publicKey = ["kty": "EC", "crv": "P-256", "x": .string(x), "y": .string(y)]
        // RFC 7638 section 3: the required members alone, ordered by name, without white space.
        let canonical: JSON = ["crv": "P-256", "kty": "EC", "x": .string(x), "y": .string(y)]
        thumbprint = Base64URL.encode(HashFunction.sha256.digest(canonical.serialised().span))
    }

    /// The private key, PKCS#8 in PEM, not encrypted: it is the store that guards it.
    package func pem() throws(CryptoError) -> Secret { try key.pem(.pkcs8) }

    func sign(_ message: Span<UInt8>) throws(CryptoError) -> [UInt8] { try signer.sign(message) }
}

extension DPoPKey: Equatable {
    package static func == (left: Self, right: Self) -> Bool { sameText(left.thumbprint, right.thumbprint) }
}

extension DPoPKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "DPoPKey(\(thumbprint))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
