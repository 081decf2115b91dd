import Primitives

/// Names a family of tokens. No secret: it stands in tokens and in logs.
package struct FamilyID: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// Fresh and unguessable.
    package init(from random: any RandomSource) {
        self.init(bytes: random.bytes(Self.byteCount))!
    }

    package static let byteCount = 16

    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        (high, low) = bytes.withUnsafeBytes { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
    }

    package init?(_ text: some StringProtocol) {
        guard let bytes = try? Base64URL.decode(String(text)) else { return nil }
        self.init(bytes: bytes)
    }

    package var bytes: [UInt8] {
        withUnsafeBytes(of: high) { Array($0) } + withUnsafeBytes(of: low) { Array($0) }
    }

    package var description: String { Base64URL.encode(bytes) }
}
