import Primitives

/// The form in which an engine keeps it: a byte for the version, and numbers of as many bytes as they need (LEB128; moments
/// are signed, and zigzag). There is one form of each state: what reads as one and was written otherwise is refused.
extension RotationState {
    /// Grows when older programs cannot read what newer ones write.
    package static let binaryVersion: UInt8 = 2
    /// Without whether it is a line, and without the parents of those that were replaced. It is read still.
    private static let firstVersion: UInt8 = 1

    /// Bytes of the longest form.
    package static let maximumBinaryByteCount =
        2 + 5 + 2 * 10 + 1 + maximumLeafCount * (5 + 5 + 10) + 1 + maximumSpentCount * (5 + 5 + 5 + 10 + 3 + 1)

    /// Why bytes are no state.
    package enum BinaryError: Error, Hashable, Sendable {
        /// It was written by a newer program.
        case unknownVersion(UInt8)
        /// It is no state in this form.
        case malformed
    }

    package var binary: [UInt8] {
        var writer = BinaryWriter()
        writer.byte(Self.binaryVersion)
        writer.byte((lastUsedAt == nil ? 0 : 1) | (rotatedAt == nil ? 0 : 2) | (isLine ? 4 : 0))
        writer.number(UInt64(count))
        if let lastUsedAt { writer.moment(lastUsedAt) }
        if let rotatedAt { writer.moment(rotatedAt) }
        let leaves = leaves
        writer.byte(UInt8(leaves.count))
        for leaf in leaves {
            writer.number(UInt64(leaf.node))
            writer.number(UInt64(leaf.parent))
            writer.moment(leaf.given)
        }
        writer.byte(UInt8(spent.count))
        for record in spent {
            writer.number(UInt64(record.node))
            writer.number(UInt64(record.parent))
            writer.number(UInt64(record.successor))
            writer.moment(record.at)
            writer.number(UInt64(record.replays))
            writer.byte((record.isSuccessorUsed ? 1 : 0) | (record.isSuccessorSpent ? 2 : 0))
        }
        return writer.bytes
    }

    package init(binary: [UInt8]) throws(BinaryError) {
        guard let version = binary.first else { throw .malformed }
        guard version == Self.binaryVersion || version == Self.firstVersion else { throw .unknownVersion(version) }
        guard binary.count <= Self.maximumBinaryByteCount else { throw .malformed }
        var reader = BinaryReader(rest: binary[1...])
        let isFirst = version == Self.firstVersion
        let flags = try reader.flags(below: isFirst ? 4 : 8)
        let count = try reader.number(UInt32.self)
        let lastUsedAt = flags & 1 == 0 ? nil : try reader.moment()
        let rotatedAt = flags & 2 == 0 ? nil : try reader.moment()
        var leaves: [Leaf] = []
        for _ in 0..<(try reader.byte()) {
            leaves.append(
                Leaf(
                    node: try reader.number(UInt32.self), parent: try reader.number(UInt32.self),
                    given: try reader.moment()))
        }
        var spent: [Spent] = []
        for _ in 0..<(try reader.byte()) {
            let node = try reader.number(UInt32.self)
            let parent = isFirst ? 0 : try reader.number(UInt32.self)
            let successor = try reader.number(UInt32.self)
            let at = try reader.moment()
            let replays = try reader.number(UInt16.self)
            let flags = try reader.flags(below: 4)
            spent.append(
                Spent(
                    node: node, parent: parent, successor: successor, at: at, replays: replays,
                    isSuccessorUsed: flags & 1 != 0, isSuccessorSpent: flags & 2 != 0))
        }
        guard reader.rest.isEmpty,
            let state = RotationState(
                count: count, isLine: flags & 4 != 0, leaves: leaves, spent: spent, rotatedAt: rotatedAt,
                lastUsedAt: lastUsedAt)
        else { throw .malformed }
        self = state
    }
}

private struct BinaryWriter {
    var bytes: [UInt8] = []

    /// Room for most states.
    private static let usualByteCount = 96

    init() { bytes.reserveCapacity(Self.usualByteCount) }

    mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    mutating func number(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func moment(_ moment: Timestamp) {
        let number = moment.millisecondsSinceEpoch
        self.number(UInt64(bitPattern: (number << 1) ^ (number >> 63)))
    }
}

private struct BinaryReader {
    var rest: ArraySlice<UInt8>

    mutating func byte() throws(RotationState.BinaryError) -> UInt8 {
        guard let byte = rest.popFirst() else { throw .malformed }
        return byte
    }

    /// Those above have no meaning.
    mutating func flags(below bound: UInt8) throws(RotationState.BinaryError) -> UInt8 {
        let flags = try byte()
        guard flags < bound else { throw .malformed }
        return flags
    }

    mutating func number<Number: FixedWidthInteger>(
        _: Number.Type
    ) throws(RotationState.BinaryError) -> Number {
        guard let number = Number(exactly: try number()) else { throw .malformed }
        return number
    }

    private mutating func number() throws(RotationState.BinaryError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try byte()
            let bits = UInt64(byte & 0x7F)
            guard (bits << UInt64(shift)) >> UInt64(shift) == bits else { throw .malformed }
            number |= bits << UInt64(shift)
            guard byte < 0x80 else { continue }
            // A number that ends with a zero could have been shorter.
            guard byte != 0 || shift == 0 else { throw .malformed }
            return number
        }
        throw .malformed
    }

    mutating func moment() throws(RotationState.BinaryError) -> Timestamp {
        let number = try number()
        return Timestamp(millisecondsSinceEpoch: Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1))
    }
}
