import Primitives

/// Writes values one after another: numbers in as many bytes as they need (LEB128, signed ones zigzag), texts and lists
/// behind their length.
package struct RecordWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    /// Room for most records.
    private static let usualByteCount = 384

    package init() { bytes.reserveCapacity(Self.usualByteCount) }

    package mutating func byte(_ byte: UInt8) { bytes.append(byte) }

    package mutating func number(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    package mutating func signed(_ number: Int64) { self.number(UInt64(bitPattern: (number << 1) ^ (number >> 63))) }

    /// Bytes behind their number.
    package mutating func blob(_ content: [UInt8]) {
        number(UInt64(content.count))
        bytes.append(contentsOf: content)
    }

    /// Bytes whose number is known to whoever reads them.
    package mutating func raw(_ content: some Collection<UInt8>) { bytes.append(contentsOf: content) }

    /// Eight bytes, as they lie in memory.
    package mutating func word(_ word: UInt64) { withUnsafeBytes(of: word) { bytes.append(contentsOf: $0) } }

    package mutating func text(_ text: String) {
        number(UInt64(text.utf8.count))
        bytes.append(text)
    }

    package mutating func optional(_ value: (some RecordValue)?) {
        byte(value == nil ? 0 : 1)
        value?.write(to: &self)
    }

    package mutating func list(_ values: [some RecordValue]) {
        number(UInt64(values.count))
        for value in values { value.write(to: &self) }
    }

    /// What `body` writes, behind its length.
    package mutating func measured(_ body: (inout RecordWriter) -> Void) {
        let start = bytes.count
        bytes.append(0)
        body(&self)
        let count = bytes.count - start - 1
        if count < 0x80 {
            bytes[start] = UInt8(count)
        } else {
            var length = RecordWriter()
            length.number(UInt64(count))
            bytes.replaceSubrange(start...start, with: length.bytes)
        }
    }
}
