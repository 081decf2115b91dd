/// Looks for the bytes that matter in a JSON string, eight at a time.
enum JSONScan {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// How many bytes from the start are ASCII and stand for themselves within a string.
    @inline(__always)
    static func plainASCIIPrefix(_ base: UnsafePointer<UInt8>, count: Int) -> Int {
        prefix(base, count, stopsBeyondASCII: highBits)
    }

    /// How many bytes from the start need no escape; UTF-8 beyond ASCII needs none (RFC 8259 section 7).
    @inline(__always)
    static func unescapedPrefix(_ base: UnsafePointer<UInt8>, count: Int) -> Int {
        prefix(base, count, stopsBeyondASCII: 0)
    }

    /// How many bytes from the start need no escape.
    @inline(__always)
    static func unescapedPrefix(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        text.baseAddress.map { unescapedPrefix($0, count: text.count) } ?? 0
    }

    @inline(__always)
    private static func prefix(_ base: UnsafePointer<UInt8>, _ count: Int, stopsBeyondASCII mask: UInt64) -> Int {
        var index = 0
        while index + 8 <= count {
            let word = UInt64(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
            let found = stops(word, mask)
            guard found == 0 else { return index + found.trailingZeroBitCount / 8 }
            index += 8
        }
        while index < count {
            guard stops(UInt64(base[index]), mask) & 0x80 == 0 else { return index }
            index += 1
        }
        return index
    }

    /// Marks the bytes that are a quotation mark, a backslash, a control character or within `mask`, by their highest
    /// bit. A borrow may mark bytes above the first that counts, never below, so the lowest mark is always right.
    @inline(__always)
    private static func stops(_ word: UInt64, _ mask: UInt64) -> UInt64 {
        let quote = word ^ (ones &* UInt64(UInt8(ascii: "\"")))
        let backslash = word ^ (ones &* UInt64(UInt8(ascii: "\\")))
        let isQuote = (quote &- ones) & ~quote
        let isBackslash = (backslash &- ones) & ~backslash
        let isControl = (word &- ones &* 0x20) & ~word
        return (isQuote | isBackslash | isControl | (word & mask)) & highBits
    }
}
