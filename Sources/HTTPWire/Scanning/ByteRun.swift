/// Skips runs of harmless bytes, eight at a time.
enum ByteRun {
    /// The first byte, from an index on, that cannot be part of a field value (`isFieldContent`), or the end.
    @inline(__always)
    static func endOfFieldContent(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if let word = word(bytes, at: index) {
                let suspects = below(word, 0x20) | equal(word, 0x7F)
                guard suspects != 0 else {
                    index += 8
                    continue
                }
                index += suspects.trailingZeroBitCount >> 3
            }
            guard bytes[index].isFieldContent else { return index }
            index += 1
        }
        return index
    }

    /// The first byte, from an index on, that cannot be part of a request target, or the end.
    @inline(__always)
    static func endOfTarget(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            if let word = word(bytes, at: index) {
                let suspects = below(word, 0x21) | equal(word, 0x7F) | equal(word, ASCII.hash) | word & high
                guard suspects != 0 else {
                    index += 8
                    continue
                }
                index += suspects.trailingZeroBitCount >> 3
            }
            guard bytes[index].isVisible, bytes[index] != ASCII.hash else { return index }
            index += 1
        }
        return index
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let high: UInt64 = 0x8080_8080_8080_8080

    @inline(__always)
    private static func word(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt64? {
        guard bytes.count - index >= 8, let base = bytes.baseAddress else { return nil }
        return UInt64(littleEndian: UnsafeRawPointer(base).loadUnaligned(fromByteOffset: index, as: UInt64.self))
    }

    /// The high bit of each byte that is less than a limit of at most 0x80; bytes from 0x80 on are not. Above the lowest
    /// one that is set there may be others that should not be.
    @inline(__always)
    private static func below(_ word: UInt64, _ limit: UInt8) -> UInt64 {
        (word &- ones &* UInt64(limit)) & ~word & high
    }

    /// The high bit of each byte that is equal to one below 0x80, with the same exception.
    @inline(__always)
    private static func equal(_ word: UInt64, _ byte: UInt8) -> UInt64 {
        below(word ^ ones &* UInt64(byte), 1)
    }
}
