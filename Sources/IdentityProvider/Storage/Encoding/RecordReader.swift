import Primitives

/// Reads what ``RecordWriter`` wrote, and nothing else. Bytes may be damaged: nothing is believed before it is checked, and
/// nothing is allocated on the word of a length.
package struct RecordReader: Sendable {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { position == bytes.count }

    package mutating func byte() throws(RecordError) -> UInt8 {
        guard position < bytes.count else { throw .malformed }
        defer { position += 1 }
        return bytes[position]
    }

    /// A byte that is 0 or 1.
    package mutating func flag() throws(RecordError) -> Bool {
        switch try byte() {
        case 0: false
        case 1: true
        default: throw .malformed
        }
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

    package mutating func raw(_ count: Int) throws(RecordError) -> [UInt8] { Array(try slice(count)) }

    package mutating func blob() throws(RecordError) -> [UInt8] { try raw(length()) }

    package mutating func text() throws(RecordError) -> String {
        let slice = try slice(length())
        guard let text = String(utf8: slice.span) else { throw .malformed }
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

    private mutating func length() throws(RecordError) -> Int {
        guard let length = Int(exactly: try number()), length <= bytes.count - position else { throw .malformed }
        return length
    }

    private mutating func slice(_ count: Int) throws(RecordError) -> ArraySlice<UInt8> {
        guard count <= bytes.count - position else { throw .malformed }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
