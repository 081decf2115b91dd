import Primitives

/// Writes texts and secrets in the encoding of forms and queries (RFC 6749 appendix B, RFC 3986 section 2.1). Whatever is not
/// unreserved is encoded, so that the result is safe in a body, a query and, behind Base64, in a header.
enum PercentEncoding {
    enum Space {
        /// As forms write it.
        case plus
        /// As readers of URIs and readers of forms both know it.
        case percentEncoded
    }

    static func append(_ text: some Sequence<UInt8>, space: Space, to bytes: inout [UInt8]) {
        for byte in text {
            if isUnreserved(byte) {
                bytes.append(byte)
            } else if byte == 0x20, space == .plus {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(digit(byte >> 4))
                bytes.append(digit(byte & 15))
            }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
