#if canImport(CryptoKit)
import CryptoKit

/// The public half of a key of P-256.
package final class PublicKey: Sendable {
    package typealias Kind = KeyKind

    package let kind: KeyKind
    private let components: ECPublicComponents

    init(_ key: P256.Signing.PublicKey) throws(CryptoError) {
        // x and y, one behind the other.
        components = try ECPublicComponents(curve: .p256, uncompressedPoint: [4] + Array(key.rawRepresentation))
        kind = .ec(.p256)
    }

    /// `nil` for a key of another kind.
    package var ecComponents: ECPublicComponents? { components }
}

extension PublicKey: Equatable {
    package static func == (left: PublicKey, right: PublicKey) -> Bool { left.components == right.components }
}
#endif
