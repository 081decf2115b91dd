/// Eight bytes of a text at once, and which of them are such that somebody has to look at them.
///
/// Each question is answered by the highest bit of each byte, of which the lowest one that is set is always right, and none
/// where there is none. What is above the lowest one means nothing.
///
///     bytes.firstIndex(from: start) { $0.below(0x20) | $0.equal(to: 0x7F) }
@usableFromInline @frozen package struct EightBytes: Sendable {
    @usableFromInline let word: UInt64

    @inlinable @inline(__always)
    init(_ bytes: UnsafePointer<UInt8>) {
        word = UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
    }

    /// Eight times the same.
    @inlinable @inline(__always)
    init(repeating byte: UInt8) {
        word = Self.ones &* UInt64(byte)
    }

    /// Those that are less than a limit of at most 0x80; bytes beyond ASCII are not.
    @inlinable @inline(__always)
    package func below(_ limit: UInt8) -> UInt64 { Self.below(word, limit) }

    /// Those that are equal to one of ASCII.
    @inlinable @inline(__always)
    package func equal(to byte: UInt8) -> UInt64 { Self.below(word ^ Self.ones &* UInt64(byte), 1) }

    /// Those from 0x80 on.
    @inlinable @inline(__always)
    package var beyondASCII: UInt64 { word & Self.highest }

    @usableFromInline static var ones: UInt64 { 0x0101_0101_0101_0101 }
    @usableFromInline static var highest: UInt64 { 0x8080_8080_8080_8080 }

    @inlinable @inline(__always)
    static func below(_ word: UInt64, _ limit: UInt8) -> UInt64 { (word &- ones &* UInt64(limit)) & ~word & highest }
}

extension UnsafeBufferPointer<UInt8> {
    /// The first byte from an index on that `isMarked` finds, or the end.
    @inlinable @inline(__always)
    package func firstIndex(from start: Int, isMarked: (EightBytes) -> UInt64) -> Int {
        guard let baseAddress else { return count }
        var index = start
        while index + 8 <= count {
            let marks = isMarked(EightBytes(baseAddress + index))
            guard marks == 0 else { return index + marks.trailingZeroBitCount >> 3 }
            index += 8
        }
        while index < count {
            guard isMarked(EightBytes(repeating: baseAddress[index])) & 0x80 == 0 else { return index }
            index += 1
        }
        return index
    }
}
