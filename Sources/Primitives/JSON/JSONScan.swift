/// Looks for the bytes that matter in a JSON string.
enum JSONScan {
    /// How many bytes from the start are ASCII and stand for themselves within a string.
    @inline(__always)
    static func plainASCIIPrefix(_ base: UnsafePointer<UInt8>, count: Int) -> Int {
        UnsafeBufferPointer(start: base, count: count).firstIndex(from: 0) { stops($0) | $0.beyondASCII }
    }

    /// How many bytes from the start need no escape; UTF-8 beyond ASCII needs none (RFC 8259 section 7).
    @inline(__always)
    static func unescapedPrefix(_ base: UnsafePointer<UInt8>, count: Int) -> Int {
        unescapedPrefix(UnsafeBufferPointer(start: base, count: count))
    }

    /// How many bytes from the start need no escape.
    @inline(__always)
    static func unescapedPrefix(_ text: UnsafeBufferPointer<UInt8>) -> Int { text.firstIndex(from: 0, isMarked: stops) }

    /// A quotation mark, a backslash, a control character.
    @inline(__always)
    private static func stops(_ bytes: EightBytes) -> UInt64 {
        bytes.equal(to: UInt8(ascii: "\"")) | bytes.equal(to: UInt8(ascii: "\\")) | bytes.below(0x20)
    }
}
