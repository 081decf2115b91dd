/// Base64 with the URL and filename safe alphabet, without padding (RFC 4648 section 5, RFC 7515 section 2).
///
/// Strict, so that one sequence of bytes has exactly one text: no padding, no white space, no sign of the other
/// alphabet, no stray bits in the last character.
///
///     Base64URL.encode([0xFB, 0xFF])          // "-_8"
///     try Base64URL.decode("-_8")             // [0xFB, 0xFF]
package enum Base64URL {
    private static let codec = Base64Codec(
        alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    )

    package static func encode(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBufferPointer { codec.encode($0, padded: false) }
    }

    package static func encode(_ bytes: Span<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { codec.encode($0, padded: false) }
    }

    /// Encodes straight into `output`, without a text in between.
    package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        bytes.withUnsafeBufferPointer { codec.append($0, padded: false, to: &output) }
    }

    package static func decode(_ text: Span<UInt8>) throws(Base64URLError) -> [UInt8] {
        try text.withUnsafeBufferPointer { text throws(Base64URLError) in try codec.decode(text) }
    }

    package static func decode(_ text: String) throws(Base64URLError) -> [UInt8] {
        try text.withUTF8Span { bytes throws(Base64URLError) in try decode(bytes) }
    }
}
