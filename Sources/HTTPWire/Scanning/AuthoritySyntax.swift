import Primitives

/// The host and port of a request, by the whole grammar of RFC 3986 section 3.2 (RFC 9110 section 7.2).
///
/// A message is refused for what makes it another message to another reader, and a percent-encoded name or an empty port
/// does not: who needs a name that is spelt in one way only, as an issuer does, asks for more than this.
enum AuthoritySyntax {
    /// Whether the bytes are a host that is not empty and, after a colon, a port of at most 65535. No user
    /// information: RFC 9110 section 4.2.4 has a recipient treat it as an error, since it serves to deceive.
    static func isValid(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first else { return false }
        var index = 0
        if first == ASCII.openBracket {
            guard let end = bytes.firstIndex(of: ASCII.closeBracket) else { return false }
            guard IPAddressText.isIPv6(bytes[part: 1..<end].span) else { return false }
            index = end + 1
        } else {
            while index < bytes.count, bytes[index] != ASCII.colon {
                if bytes[index] == ASCII.percent {
                    guard index + 2 < bytes.count, bytes[index + 1].hexDigitValue != nil,
                        bytes[index + 2].hexDigitValue != nil
                    else { return false }
                    index += 3
                } else {
                    guard bytes[index].isRegisteredNameByte else { return false }
                    index += 1
                }
            }
            guard index > 0 else { return false }
        }
        guard index < bytes.count else { return true }
        guard bytes[index] == ASCII.colon else { return false }
        return isPort(bytes[(index + 1)...])
    }

    /// RFC 3986 section 3.2.3: digits, perhaps none.
    private static func isPort(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        guard digits.count <= 5 else { return false }
        var port = 0
        for digit in digits {
            guard digit.isASCIIDigit else { return false }
            port = port * 10 + Int(digit - ASCII.zero)
        }
        return port <= 65535
    }
}

extension UInt8 {
    /// `unreserved` and `sub-delims` of RFC 3986, of which a registered name is made beside percent-encoded bytes.
    fileprivate var isRegisteredNameByte: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        // - . _ ~
        case 0x2D, 0x2E, 0x5F, 0x7E: true
        // ! $ & ' ( ) * + , ; =
        case 0x21, 0x24, 0x26...0x2C, 0x3B, 0x3D: true
        default: false
        }
    }
}
