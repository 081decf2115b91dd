/// Base64 with the standard alphabet and padding (RFC 4648 section 4): PEM bodies, HTTP Basic.
///
/// Strict like ``Base64URL``: padding must be there, white space must not. Who reads lines joins them first.
///
///     Base64.encode([0xFB, 0xFF])             // "+/8="
package enum Base64 {
    private static let codec = Base64Codec(
        alphabet: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    )

    package static func encode(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBufferPointer { codec.encode($0, padded: true) }
    }

    package static func encode(_ bytes: Span<UInt8>) -> String {
        bytes.withUnsafeBufferPointer { codec.encode($0, padded: true) }
    }

    /// Encodes straight into `output`, without a text in between.
    package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        bytes.withUnsafeBufferPointer { codec.append($0, padded: true, to: &output) }
    }

    package static func decode(_ text: Span<UInt8>) throws(Base64Error) -> [UInt8] {
        try text.withUnsafeBufferPointer { text throws(Base64Error) in try codec.decode(withoutPadding(text)) }
    }

    /// Decodes what must not leak: the bytes never stand in memory that is not wiped.
    package static func decodeSecret(_ text: UnsafeRawBufferPointer) throws(Base64Error) -> Secret {
        try codec.decodeSecret(withoutPadding(text.assumingMemoryBound(to: UInt8.self)))
    }

    private static func withoutPadding(
        _ text: UnsafeBufferPointer<UInt8>
    ) throws(Base64Error) -> UnsafeBufferPointer<UInt8> {
        guard text.count % 4 == 0 else { throw .impossibleLength }
        var count = text.count
        for _ in 0..<2 where count > 0 && text[count - 1] == UInt8(ascii: "=") { count -= 1 }
        return UnsafeBufferPointer(rebasing: text[..<count])
    }

    package static func decode(_ text: String) throws(Base64Error) -> [UInt8] {
        try text.withUTF8Span { bytes throws(Base64Error) in try decode(bytes) }
    }
}
