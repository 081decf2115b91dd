extension UInt8 {
    /// `tchar` of RFC 9110 section 5.6.2: what names and methods are made of.
    @inlinable @inline(__always)
    package var isTokenByte: Bool {
        // One bit for each byte from 0x00 to 0x3F, `!#$%&'*+-.` and the digits, and from 0x40 to 0x7F, letters and
        // `^_|~` with the grave accent.
        let word: UInt64 = self & 0x40 == 0 ? 0x03FF_6CFA_0000_0000 : 0x57FF_FFFF_C7FF_FFFE
        return self < 0x80 && (word &>> UInt64(self & 0x3F)) & 1 == 1
    }
}
