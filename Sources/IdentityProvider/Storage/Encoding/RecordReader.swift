import Primitives

/// Reads what ``RecordWriter`` wrote, and nothing else. Bytes may be damaged: nothing is believed before it is checked, and
/// nothing is allocated on the word of a length.
package struct RecordReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    private var position: Int
    /// Behind the last byte that may be read now.
    private var end: Int

    package init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
        end = bytes.endIndex
    }

    package init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    package var isAtEnd: Bool { position == end }

    package mutating func byte() throws(RecordError) -> UInt8 {
        guard position < end else { throw .malformed }
        defer { position += 1 }
        return bytes[position]
    }

    /// A byte that is 0 or 1.
    package mutating func flag() throws(RecordError) -> Bool { try flags(below: 2) == 1 }

    /// A byte whose bits say something; those above have no meaning.
    package mutating func flags(below bound: UInt8) throws(RecordError) -> UInt8 {
        let flags = try byte()
        guard flags < bound else { throw .malformed }
        return flags
    }

    package mutating func number() throws(RecordError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try byte()
            let bits = UInt64(byte & 0x7F)
            guard (bits << shift) >> shift == bits else { throw .malformed }
            number |= bits << shift
            guard byte < 0x80 else { continue }
            // A number that ends with a zero could have been shorter.
            guard byte != 0 || shift == 0 else { throw .malformed }
            return number
        }
        throw .malformed
    }

    package mutating func number<Number: FixedWidthInteger>(_: Number.Type) throws(RecordError) -> Number {
        guard let number = Number(exactly: try number()) else { throw .malformed }
        return number
    }

    package mutating func signed() throws(RecordError) -> Int64 {
        let number = try number()
        return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    /// Eight bytes, as they lie in memory.
    package mutating func word() throws(RecordError) -> UInt64 {
        let range = try range(MemoryLayout<UInt64>.size)
        return bytes[range].withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }

    package mutating func raw(_ count: Int) throws(RecordError) -> [UInt8] { Array(bytes[try range(count)]) }

    package mutating func blob() throws(RecordError) -> [UInt8] { try raw(length()) }

    package mutating func text() throws(RecordError) -> String {
        let range = try range(length())
        guard let text = String(utf8: bytes[range].span) else { throw .malformed }
        return text
    }

    package mutating func optional<Value: RecordValue>(_: Value.Type = Value.self) throws(RecordError) -> Value? {
        try flag() ? try Value(from: &self) : nil
    }

    package mutating func list<Value: RecordValue>(_: Value.Type = Value.self) throws(RecordError) -> [Value] {
        // Each takes a byte at least.
        let count = try length()
        var values: [Value] = []
        for _ in 0..<count { values.append(try Value(from: &self)) }
        return values
    }

    /// What stands behind its length, which is no more than `most`, and ends with it.
    package mutating func measured<Value>(
        upTo most: Int, _ body: (inout RecordReader) throws(RecordError) -> Value
    ) throws(RecordError) -> Value {
        let outer = end
        let count = try length()
        guard count <= most else { throw .malformed }
        end = position + count
        defer { end = outer }
        let value = try body(&self)
        guard isAtEnd else { throw .malformed }
        return value
    }

    /// Passes over what stands behind its length.
    package mutating func passMeasured() throws(RecordError) { _ = try range(length()) }

    /// What has not been read yet.
    package var rest: ArraySlice<UInt8> { bytes[position..<end] }

    private mutating func length() throws(RecordError) -> Int {
        guard let length = Int(exactly: try number()), length <= end - position else { throw .malformed }
        return length
    }

    /// Where the next bytes are, which are passed over.
    private mutating func range(_ count: Int) throws(RecordError) -> Range<Int> {
        guard count <= end - position else { throw .malformed }
        defer { position += count }
        return position..<position + count
    }
}
