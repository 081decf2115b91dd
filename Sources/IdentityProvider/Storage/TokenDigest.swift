import Crypto
import Primitives

/// By what a code or a token is found: its SHA-256, so that whoever reads the store learns no token from it.
///
/// Only for texts with at least 128 bits of randomness: their digest cannot be turned back by trying.
package struct TokenDigest: Hashable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    package init(of token: String) {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &words) { HashFunction.sha256.digest(token.utf8.span, into: $0) }
        self.words = words
    }

    package static let byteCount = 32

    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        words = bytes.withUnsafeBytes { $0.loadUnaligned(as: (UInt64, UInt64, UInt64, UInt64).self) }
    }

    package var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

    package static func == (left: Self, right: Self) -> Bool { left.words == right.words }

    package func hash(into hasher: inout Hasher) {
        // A digest is as even as a hash can be; two of its words are enough of it.
        hasher.combine(words.0)
        hasher.combine(words.1)
    }
}
