import Primitives

/// A byte for the version, then numbers. There is one form of each state: what reads as one and was written otherwise is
/// refused. In a record it stands behind its length.
extension RotationState: RecordValue {
    /// Grows when older programs cannot read what newer ones write.
    private static let version: UInt8 = 2
    /// Without whether it is a line, and without the parents of those that were replaced. It is read still.
    private static let firstVersion: UInt8 = 1

    /// Bytes of the longest form.
    package static let maximumByteCount =
        2 + 5 + 2 * 10 + 1 + maximumLeafCount * (5 + 5 + 10) + 1 + maximumSpentCount * (5 + 5 + 5 + 10 + 3 + 1)

    package func write(to writer: inout RecordWriter) { writer.measured(writeContent) }

    package init(from reader: inout RecordReader) throws(RecordError) {
        self = try reader.measured(upTo: Self.maximumByteCount) { reader throws(RecordError) in
            try Self(contentFrom: &reader)
        }
    }

    private func writeContent(to writer: inout RecordWriter) {
        writer.byte(Self.version)
        writer.byte((lastUsedAt == nil ? 0 : 1) | (rotatedAt == nil ? 0 : 2) | (isLine ? 4 : 0))
        writer.number(UInt64(count))
        lastUsedAt?.write(to: &writer)
        rotatedAt?.write(to: &writer)
        writer.byte(UInt8(leafCount))
        forEachLeaf { leaf in
            writer.number(UInt64(leaf.node))
            writer.number(UInt64(leaf.parent))
            leaf.given.write(to: &writer)
        }
        writer.byte(UInt8(spent.count))
        for record in spent {
            writer.number(UInt64(record.node))
            writer.number(UInt64(record.parent))
            writer.number(UInt64(record.successor))
            record.at.write(to: &writer)
            writer.number(UInt64(record.replays))
            writer.byte((record.isSuccessorUsed ? 1 : 0) | (record.isSuccessorSpent ? 2 : 0))
        }
    }

    private init(contentFrom reader: inout RecordReader) throws(RecordError) {
        let version = try reader.byte()
        guard version == Self.version || version == Self.firstVersion else { throw .unknownVersion(version) }
        let isFirst = version == Self.firstVersion
        let flags = try reader.flags(below: isFirst ? 4 : 8)
        let count = try reader.number(UInt32.self)
        let lastUsedAt = flags & 1 == 0 ? nil : try Timestamp(from: &reader)
        let rotatedAt = flags & 2 == 0 ? nil : try Timestamp(from: &reader)
        var older: [Leaf] = []
        var newest: Leaf?
        let leafCount = try reader.count(upTo: Self.maximumLeafCount)
        for _ in 0..<leafCount {
            if let newest { older.append(newest) }
            newest = Leaf(
                node: try reader.number(UInt32.self), parent: try reader.number(UInt32.self),
                given: try Timestamp(from: &reader))
        }
        var spent: [Spent] = []
        let spentCount = try reader.count(upTo: Self.maximumSpentCount)
        for _ in 0..<spentCount {
            let node = try reader.number(UInt32.self)
            let parent = isFirst ? 0 : try reader.number(UInt32.self)
            let successor = try reader.number(UInt32.self)
            let at = try Timestamp(from: &reader)
            let replays = try reader.number(UInt16.self)
            let flags = try reader.flags(below: 4)
            spent.append(
                Spent(
                    node: node, parent: parent, successor: successor, at: at, replays: replays,
                    isSuccessorUsed: flags & 1 != 0, isSuccessorSpent: flags & 2 != 0))
        }
        guard
            let state = RotationState(
                count: count, isLine: flags & 4 != 0, newest: newest, older: older, spent: spent, rotatedAt: rotatedAt,
                lastUsedAt: lastUsedAt)
        else { throw .malformed }
        self = state
    }
}

extension RecordReader {
    /// A byte, which says of how many there are, and there are not more.
    fileprivate mutating func count(upTo most: Int) throws(RecordError) -> Int {
        Int(try flags(below: UInt8(most + 1)))
    }
}
