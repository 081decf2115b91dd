#if canImport(CryptoKit)
import CryptoKit
import Foundation
import Primitives

/// A private key of P-256, whose parts have been checked against each other. The session client has no other kind, so there
/// is no other here.
package final class PrivateKey: Sendable {
    package typealias Kind = KeyKind

    package let kind: KeyKind
    /// The other half, which holds nothing secret.
    package let publicKey: PublicKey
    let key: P256.Signing.PrivateKey

    private init(_ key: P256.Signing.PrivateKey) throws(CryptoError) {
        self.key = key
        publicKey = try PublicKey(key.publicKey)
        kind = publicKey.kind
    }

    /// A fresh key.
    package static func generate(_ kind: KeyKind) throws(CryptoError) -> PrivateKey {
        guard case .ec(.p256) = kind else { throw .notOfP256(kind) }
        return try PrivateKey(P256.Signing.PrivateKey())
    }

    /// The point must be the one that belongs to the scalar.
    package convenience init(ec components: ECPrivateComponents) throws(CryptoError) {
        try self.init(curve: components.publicComponents.curve, scalar: components.scalar)
        guard components.publicComponents == publicKey.ecComponents else {
            throw .inconsistentKey("the public point does not belong to the private scalar")
        }
    }

    /// The public point is computed.
    package convenience init(curve: Curve, scalar: Secret) throws(CryptoError) {
        guard curve == .p256 else { throw .notOfP256(.ec(curve)) }
        let length = curve.fieldByteCount
        guard scalar.count == length else {
            throw .wrongLength(part: "the private scalar", expectedBytes: length, foundBytes: scalar.count)
        }
        guard let key = try? scalar.withBytes({ try P256.Signing.PrivateKey(rawRepresentation: $0) }) else {
            throw .privateScalarOutOfRange
        }
        try self.init(key)
    }

    /// `nil` for a key of another kind.
    package var ecComponents: ECPrivateComponents? {
        guard let publicComponents = publicKey.ecComponents else { return nil }
        var scalar = key.rawRepresentation
        defer { scalar.withUnsafeMutableBytes { wipe($0) } }
        return ECPrivateComponents(publicComponents: publicComponents, scalar: Secret(scalar))
    }
}

extension CryptoError {
    /// What CryptoKit may well have, and nobody here has asked for.
    static func notOfP256(_ kind: KeyKind) -> CryptoError {
        switch kind {
        case .rsa: .unsupportedKeyType("RSA")
        case .ec(let curve): .unsupportedKeyType("EC on \(curve)")
        case .ed25519: .unsupportedKeyType("Ed25519")
        }
    }
}
#endif
