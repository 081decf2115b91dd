import Primitives

/// Names a family of tokens. No secret: it stands in tokens and in logs.
package struct FamilyID: Hashable, Sendable, CustomStringConvertible {
    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Fresh and unguessable. Its text does not begin with a dash: people copy it into command lines.
    package init(from random: any RandomSource) {
        var bytes = random.bytes(Self.byteCount)
        while Self.beginsWithDash(bytes) { bytes = random.bytes(Self.byteCount) }
        self.init(bytes: bytes)!
    }

    /// RFC 4648 section 5: the first six bits are the first character, and 62 is the dash.
    private static func beginsWithDash(_ bytes: [UInt8]) -> Bool { bytes[0] >> 2 == 62 }

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
        withUnsafeBytes(of: (high, low)) { Array($0) }
    }

    package var description: String { Base64URL.encode(bytes) }
}
