import Primitives

/// Skips runs of harmless bytes, eight at a time.
enum ByteRun {
    /// The first byte, from an index on, that cannot be part of a field value (`isFieldContent`), or the end.
    @inline(__always)
    static func endOfFieldContent(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while true {
            index = bytes.firstIndex(from: index) { $0.below(0x20) | $0.equal(to: 0x7F) }
            // A tab is.
            guard index < bytes.count, bytes[index].isFieldContent else { return index }
            index += 1
        }
    }

    /// The first byte, from an index on, that cannot be part of a request target, or the end.
    @inline(__always)
    static func endOfTarget(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        bytes.firstIndex(from: start) {
            $0.below(0x21) | $0.equal(to: 0x7F) | $0.equal(to: ASCII.hash) | $0.beyondASCII
        }
    }
}
