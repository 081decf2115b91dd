/// The bytes that HTTP gives a meaning.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let quote: UInt8 = 0x22
    static let hash: UInt8 = 0x23
    static let percent: UInt8 = 0x25
    static let asterisk: UInt8 = 0x2A
    static let comma: UInt8 = 0x2C
    static let dot: UInt8 = 0x2E
    static let slash: UInt8 = 0x2F
    static let zero: UInt8 = 0x30
    static let colon: UInt8 = 0x3A
    static let semicolon: UInt8 = 0x3B
    static let equals: UInt8 = 0x3D
    static let questionMark: UInt8 = 0x3F
    static let openBracket: UInt8 = 0x5B
    static let backslash: UInt8 = 0x5C
    static let closeBracket: UInt8 = 0x5D
}

extension UInt8 {
    /// `VCHAR` of RFC 5234: neither space, control nor beyond ASCII.
    @inline(__always)
    var isVisible: Bool { self &- 0x21 < 0x5E }

    /// `OWS` and `BWS` of RFC 9110 section 5.6.3.
    @inline(__always)
    var isBlank: Bool { self == ASCII.space || self == ASCII.tab }

    /// What a field value is made of: `field-vchar`, space and tab (RFC 9110 section 5.5). Not NUL, CR, LF or any
    /// other control byte.
    @inline(__always)
    var isFieldContent: Bool { self >= 0x20 ? self != 0x7F : self == ASCII.tab }

    /// A letter in lower case; any other byte that may occur in a token stays apart from the letters.
    @inline(__always)
    var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
