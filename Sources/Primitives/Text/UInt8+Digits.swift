extension UInt8 {
    /// A decimal digit in ASCII.
    @inlinable @inline(__always)
    package var isASCIIDigit: Bool { self &- 0x30 < 10 }

    /// The value of a hexadecimal digit in ASCII, of either case.
    @inlinable @inline(__always)
    package var hexDigitValue: UInt8? {
        if isASCIIDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter + 10 : nil
    }
}
