/// The ASN.1 tags that occur in keys.
enum DERTag: UInt8 {
    case integer = 0x02
    case bitString = 0x03
    case octetString = 0x04
    case null = 0x05
    case objectIdentifier = 0x06
    case sequence = 0x30
    /// `[0]` and `[1]` of RFC 5915, explicit; `[0]` of RFC 5958, the attributes.
    case constructed0 = 0xA0
    case constructed1 = 0xA1
    /// `[1]` of RFC 5958, implicit: the public key.
    case primitive1 = 0x81
}

extension DERTag: CustomStringConvertible {
    var description: String {
        switch self {
        case .integer: "an INTEGER"
        case .bitString: "a BIT STRING"
        case .octetString: "an OCTET STRING"
        case .null: "a NULL"
        case .objectIdentifier: "an OBJECT IDENTIFIER"
        case .sequence: "a SEQUENCE"
        case .constructed0: "an element [0]"
        case .constructed1, .primitive1: "an element [1]"
        }
    }
}
