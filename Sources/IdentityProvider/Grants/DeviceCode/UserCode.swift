import Primitives

/// What a device shows and a user types (RFC 8628 section 6.1): eight letters out of twenty consonants, so that no word
/// comes up and nothing can be misread. 20⁸ are 34 bits: too many to try where wrong ones are counted.
///
///     UserCode(typed: "wdjb-mjht")?.shown         // "WDJB-MJHT"
package struct UserCode: Hashable, Sendable {
    /// Upper case, without separators: as the store knows it.
    package let text: String

    package static let letterCount = 8
    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    /// People put spaces and dashes in, and more than the device showed. Beyond this it is no code.
    private static let longestTypedByteCount = 64

    package init(from random: any RandomSource) {
        var letters: [UInt8] = []
        // The bytes beyond a multiple of the alphabet are thrown away: taking them would prefer some letters.
        let end = UInt8(256 / Self.alphabet.count * Self.alphabet.count)
        while letters.count < Self.letterCount {
            for byte in random.bytes(16) where byte < end && letters.count < Self.letterCount {
                letters.append(Self.alphabet[Int(byte) % Self.alphabet.count])
            }
        }
        text = String(decoding: letters, as: UTF8.self)
    }

    /// RFC 8628 section 6.1: case does not count, and neither does punctuation, which is there for people. `nil` for what
    /// cannot be a code.
    package init?(typed: String) {
        guard typed.utf8.count <= Self.longestTypedByteCount else { return nil }
        var letters: [UInt8] = []
        for scalar in typed.unicodeScalars where !Self.isPunctuation(scalar) {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            let letter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
            guard Self.alphabet.contains(letter), letters.count < Self.letterCount else { return nil }
            letters.append(letter)
        }
        guard letters.count == Self.letterCount else { return nil }
        text = String(decoding: letters, as: UTF8.self)
    }

    /// White space, dashes of every length, dots and underscores.
    private static func isPunctuation(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .dashPunctuation, .connectorPunctuation: true
        default: scalar == "\t" || scalar == "." || scalar == "\u{2212}"
        }
    }

    /// As it is shown: two groups, which are easier to keep in mind.
    package var shown: String { "\(text.prefix(Self.letterCount / 2))-\(text.suffix(Self.letterCount / 2))" }
}
