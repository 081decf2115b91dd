/// A row of the journal: the heads of one transaction, with a seal over all of them and their place in the journal.
///
/// Each is its number, in eight bytes, the count of its bytes, in two, and its bytes, of which there may be none.
package enum HeadRow {
    private static let introductionByteCount = 10

    package static func encode(_ heads: [Int64: SealedHead?], at sequence: Int64, _ seal: RecordSeal) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            heads.reduce(RecordSeal.byteCount) { $0 + introductionByteCount + ($1.value?.bytes.count ?? 0) })
        for (number, head) in heads {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
            withUnsafeBytes(of: UInt16(head?.bytes.count ?? 0).littleEndian) { bytes.append(contentsOf: $0) }
            if let head { bytes.append(contentsOf: head.bytes) }
        }
        return seal.sealed(bytes, for: key(of: sequence))
    }

    /// Gives the heads of a row one after the other; `nil`: there is none any more.
    ///
    /// - Returns: `false`: the row is not as it was written, or not where it was written.
    package static func decode(
        _ sealed: [UInt8], at sequence: Int64, _ seal: RecordSeal, _ body: (Int64, ArraySlice<UInt8>?) -> Void
    ) -> Bool {
        guard let bytes = seal.opened(sealed, for: key(of: sequence)) else { return false }
        var start = bytes.startIndex
        while start < bytes.endIndex {
            guard introductionByteCount <= bytes.endIndex - start else { return false }
            let (number, count) = sealed.withUnsafeBytes { bytes in
                (
                    Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int64.self)),
                    Int(UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt16.self)))
                )
            }
            start += introductionByteCount
            guard count <= bytes.endIndex - start, count <= HeadBucket.mostBytes else { return false }
            body(number, count == 0 ? nil : bytes[start..<start + count])
            start += count
        }
        return true
    }

    private static func key(of sequence: Int64) -> [UInt8] { withUnsafeBytes(of: sequence.littleEndian) { Array($0) } }
}
