/// The character classes of RFC 3986 that issuers are made of, without percent-encoding.
enum URICharacters {
    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
            || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
    }

    /// What names of hosts are made of in practice: letters, digits, `-`, `.` and `_`.
    static func isHostByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
    }

    /// `pchar`: unreserved, sub-delims, `:` and `@`.
    static func isSegmentByte(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "-._~!$&'()*+,;=:@".utf8.contains(byte)
    }
}
