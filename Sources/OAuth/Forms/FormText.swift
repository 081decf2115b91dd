import Primitives

/// The encoding of one name or value in `application/x-www-form-urlencoded` (RFC 6749 appendix B).
///
/// `+` is a space, `%` and two hexadecimal digits are a byte, the bytes are UTF-8. A space or a letter outside ASCII
/// that stands as it is can mean only one thing and is taken as it is, because `curl -d "scope=read write"` sends
/// it; everything doubtful is refused.
enum FormText {
    static func decode(_ text: Span<UInt8>, at offset: Int) throws(FormError) -> String {
        if try isPlain(text, at: offset) {
            return try string(text, at: offset)
        }
        var bytes: [UInt8] = []
        try unescape(text, at: offset, into: &bytes)
        return try string(bytes.span, at: offset)
    }

    /// Appends the decoded bytes, which need not be UTF-8.
    static func decode(_ text: Span<UInt8>, at offset: Int, into bytes: inout [UInt8]) throws(FormError) {
        if try isPlain(text, at: offset) {
            bytes.append(text)
        } else {
            try unescape(text, at: offset, into: &bytes)
        }
    }

    private static func unescape(_ text: Span<UInt8>, at offset: Int, into bytes: inout [UInt8]) throws(FormError) {
        bytes.reserveCapacity(bytes.count + text.count)
        var index = 0
        while index < text.count {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "+"):
                bytes.append(0x20)
            case UInt8(ascii: "%"):
                guard index + 2 < text.count, let high = text[index + 1].hexDigitValue,
                    let low = text[index + 2].hexDigitValue
                else { throw FormError(kind: .badPercentEncoding, offset: offset + index) }
                guard high | low != 0 else { throw FormError(kind: .controlCharacter, offset: offset + index) }
                bytes.append(high << 4 | low)
                index += 2
            case 0..<0x20, 0x7F:
                throw FormError(kind: .controlCharacter, offset: offset + index)
            default:
                bytes.append(byte)
            }
            index += 1
        }
    }

    /// Whether the text stands for itself.
    private static func isPlain(_ text: Span<UInt8>, at offset: Int) throws(FormError) -> Bool {
        let index = text.withUnsafeBufferPointer { text in
            text.firstIndex(from: 0) {
                $0.equal(to: UInt8(ascii: "%")) | $0.equal(to: UInt8(ascii: "+")) | $0.below(0x20) | $0.equal(to: 0x7F)
            }
        }
        guard index < text.count else { return true }
        guard text[index] >= 0x20, text[index] != 0x7F else {
            throw FormError(kind: .controlCharacter, offset: offset + index)
        }
        return false
    }

    private static func string(_ bytes: Span<UInt8>, at offset: Int) throws(FormError) -> String {
        guard let text = String(utf8: bytes) else { throw FormError(kind: .invalidUTF8, offset: offset) }
        return text
    }
}
