import Primitives

/// The character classes of RFC 3986.
enum URICharacters {
    static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || byte.isASCIIDigit }

    static func isLetter(_ byte: UInt8) -> Bool {
        byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }

    /// What names of hosts are made of in practice: letters, digits, `-`, `.` and `_`.
    static func isHostByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }

    /// `unreserved`: never needs an encoding (section 2.3).
    static func isUnreserved(_ byte: UInt8) -> Bool { isHostByte(byte) || byte == UInt8(ascii: "~") }

    /// `pchar`: unreserved, sub-delims, `:` and `@`.
    static func isSegmentByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._~!$&'()*+,;=:@".utf8.contains(byte)
    }

    /// What follows the letter at the start of a scheme (section 3.1).
    static func isSchemeByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
