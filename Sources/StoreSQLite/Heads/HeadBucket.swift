private let introductionByteCount = 10

/// Heads whose rows have numbers that begin alike, in one piece of memory: a few, which are gone through one after the other.
///
/// Each is its number, in eight bytes, the count of its bytes with a bit on top of it, in two, and its bytes.
package struct HeadBucket {
    private var bytes: [UInt8] = []

    package init() {}

    private static let settled: UInt16 = 1 << 15
    /// More than a head ever has.
    package static let mostBytes = Int(settled - 1)

    private struct Entry {
        let start: Int
        let number: Int64
        let byteCount: Int
        let isSettled: Bool

        var content: Range<Int> { start + introductionByteCount..<end }
        var end: Int { start + introductionByteCount + byteCount }
    }

    package func head(of number: Int64) -> SealedHead? {
        entry(of: number).map { SealedHead(bytes: bytes[$0.content]) }
    }

    /// Those that have not been settled, in the order of their numbers.
    package var waiting: [(number: Int64, head: SealedHead)] {
        var found: [Entry] = []
        bytes.withUnsafeBytes { bytes in
            var next = Self.entry(at: 0, in: bytes)
            while let entry = next {
                if !entry.isSettled { found.append(entry) }
                next = Self.entry(at: entry.end, in: bytes)
            }
        }
        found.sort { $0.number < $1.number }
        return found.map { ($0.number, SealedHead(bytes: bytes[$0.content])) }
    }
}

// MARK: - Changes

extension HeadBucket {
    /// Puts a head in the place of another. It is not settled.
    package mutating func set(_ head: ArraySlice<UInt8>, at number: Int64) {
        precondition(head.count <= Self.mostBytes, "heads have a bound")
        if let entry = entry(of: number) {
            guard entry.byteCount != head.count else {
                bytes.replaceSubrange(entry.content, with: head)
                return setCount(UInt16(head.count), of: entry)
            }
            bytes.removeSubrange(entry.start..<entry.end)
        }
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt16(head.count).littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: head)
    }

    /// Marks the head of a row, so that it can be removed.
    package mutating func settle(_ number: Int64) {
        guard let entry = entry(of: number) else { return }
        setCount(UInt16(entry.byteCount) | Self.settled, of: entry)
    }

    /// Removes the head of a row, if it is marked and no other has come since.
    package mutating func removeSettled(_ number: Int64) {
        guard let entry = entry(of: number), entry.isSettled else { return }
        // What nothing is left of needs no memory until something comes again.
        if entry.end - entry.start == bytes.count { bytes = [] } else { bytes.removeSubrange(entry.start..<entry.end) }
    }

    private mutating func setCount(_ count: UInt16, of entry: Entry) {
        withUnsafeBytes(of: count.littleEndian) {
            bytes[entry.start + 8] = $0[0]
            bytes[entry.start + 9] = $0[1]
        }
    }
}

// MARK: - Looking

extension HeadBucket {
    private func entry(of number: Int64) -> Entry? {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            // Nothing is made of those that are passed: this is done for each refresh.
            while start < bytes.count, Self.number(at: start, in: bytes) != number {
                start += introductionByteCount + Int(Self.count(at: start, in: bytes) & ~Self.settled)
            }
            return Self.entry(at: start, in: bytes)
        }
    }

    @inline(__always)
    private static func entry(at start: Int, in bytes: UnsafeRawBufferPointer) -> Entry? {
        guard start < bytes.count else { return nil }
        let count = count(at: start, in: bytes)
        return Entry(
            start: start, number: number(at: start, in: bytes), byteCount: Int(count & ~settled),
            isSettled: count & settled != 0)
    }

    @inline(__always)
    private static func number(at start: Int, in bytes: UnsafeRawBufferPointer) -> Int64 {
        Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self))
    }

    @inline(__always)
    private static func count(at start: Int, in bytes: UnsafeRawBufferPointer) -> UInt16 {
        UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt16.self))
    }
}
