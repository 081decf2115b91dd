/// What the two alphabets have in common: three bytes become four characters and back (RFC 4648 section 4).
///
/// There is one for each alphabet, and it is never freed: arrays would be retained and released at every use, which
/// costs as much as encoding a signature.
struct Base64Codec: @unchecked Sendable {
    private static let foreign: UInt8 = 0xFF

    private let alphabet: StaticString
    /// What each of the 256 bytes stands for. Not written after the initialiser, as the other one.
    private let values: UnsafePointer<UInt8>
    /// The two characters, the first in the low byte, for each twelve bits.
    private let pairs: UnsafePointer<UInt16>

    init(alphabet: StaticString) {
        precondition(alphabet.utf8CodeUnitCount == 64)
        self.alphabet = alphabet
        let signs = alphabet.utf8Start
        let values = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        values.initialize(repeating: Self.foreign, count: 256)
        for value in 0..<64 { values[Int(signs[value])] = UInt8(value) }
        self.values = UnsafePointer(values)
        let pairs = UnsafeMutablePointer<UInt16>.allocate(capacity: 4096)
        for bits in 0..<4096 {
            (pairs + bits).initialize(to: UInt16(signs[bits >> 6]) | UInt16(signs[bits & 63]) << 8)
        }
        self.pairs = UnsafePointer(pairs)
    }

    func encode(_ bytes: UnsafeBufferPointer<UInt8>, padded: Bool) -> String {
        let length = Self.length(of: bytes.count, padded: padded)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: length) { output in
            let count = write(bytes, padded: padded, to: output)
            // It may be a secret, and the stack forgets nothing.
            defer { wipe(UnsafeMutableRawBufferPointer(output)) }
            return String(knownASCII: UnsafeBufferPointer(rebasing: output[..<count]).span)
        }
    }

    func append(_ bytes: UnsafeBufferPointer<UInt8>, padded: Bool, to output: inout [UInt8]) {
        let length = Self.length(of: bytes.count, padded: padded)
        output.append(addingCapacity: length) { span in
            span.withUnsafeMutableBufferPointer { free, initialized in
                let free = UnsafeMutableBufferPointer(rebasing: free[initialized..<initialized + length])
                initialized += write(bytes, padded: padded, to: free)
            }
        }
    }

    func decode(_ text: UnsafeBufferPointer<UInt8>) throws(Base64Error) -> [UInt8] {
        let count = try Self.decodedCount(text.count)
        return try [UInt8](byteCount: count) { output throws(Base64Error) in try read(text, to: output) }
    }

    func decodeSecret(_ text: UnsafeBufferPointer<UInt8>) throws(Base64Error) -> Secret {
        try Secret(byteCount: try Self.decodedCount(text.count)) { output throws(Base64Error) in
            try read(text, to: output.assumingMemoryBound(to: UInt8.self))
        }
    }

    private static func decodedCount(_ count: Int) throws(Base64Error) -> Int {
        let rest = count % 4
        guard rest != 1 else { throw .impossibleLength }
        return count / 4 * 3 + (rest == 0 ? 0 : rest - 1)
    }

    private static func length(of count: Int, padded: Bool) -> Int {
        if padded { return (count + 2) / 3 * 4 }
        return count / 3 * 4 + (count % 3 == 0 ? 0 : count % 3 + 1)
    }

    private func write(
        _ bytes: UnsafeBufferPointer<UInt8>,
        padded: Bool,
        to output: UnsafeMutableBufferPointer<UInt8>
    ) -> Int {
        guard let input = bytes.baseAddress, let base = output.baseAddress, bytes.count > 0 else { return 0 }
        let signs = alphabet.utf8Start
        var from = 0
        var to = 0
        // Six bytes at a time, as far as the eight that are loaded are there.
        while from + 8 <= bytes.count {
            let group = UInt64(bigEndian: UnsafeRawPointer(input + from).loadUnaligned(as: UInt64.self))
            let text =
                UInt64(pairs[Int(group >> 52)]) | UInt64(pairs[Int(group >> 40 & 0xFFF)]) << 16
                | UInt64(pairs[Int(group >> 28 & 0xFFF)]) << 32 | UInt64(pairs[Int(group >> 16 & 0xFFF)]) << 48
            UnsafeMutableRawPointer(base + to).storeBytes(of: text.littleEndian, as: UInt64.self)
            from += 6
            to += 8
        }
        while from + 3 <= bytes.count {
            let group = Int(input[from]) << 16 | Int(input[from + 1]) << 8 | Int(input[from + 2])
            base[to] = signs[group >> 18]
            base[to + 1] = signs[group >> 12 & 63]
            base[to + 2] = signs[group >> 6 & 63]
            base[to + 3] = signs[group & 63]
            from += 3
            to += 4
        }
        let rest = bytes.count - from
        guard rest > 0 else { return to }
        let group = Int(input[from]) << 16 | (rest == 2 ? Int(input[from + 1]) << 8 : 0)
        base[to] = signs[group >> 18]
        base[to + 1] = signs[group >> 12 & 63]
        to += 2
        if rest == 2 {
            base[to] = signs[group >> 6 & 63]
            to += 1
        }
        for _ in 0..<(padded ? 3 - rest : 0) {
            base[to] = UInt8(ascii: "=")
            to += 1
        }
        return to
    }

    private func read(
        _ text: UnsafeBufferPointer<UInt8>,
        to output: UnsafeMutableBufferPointer<UInt8>
    ) throws(Base64Error) {
        func value(_ offset: Int) throws(Base64Error) -> UInt32 {
            let value = values[Int(text[offset])]
            guard value != Self.foreign else { throw .foreignByte(offset: offset) }
            return UInt32(value)
        }
        var from = 0
        var to = 0
        while from + 4 <= text.count {
            let group =
                try value(from) << 18 | value(from + 1) << 12 | value(from + 2) << 6 | value(from + 3)
            output[to] = UInt8(truncatingIfNeeded: group >> 16)
            output[to + 1] = UInt8(truncatingIfNeeded: group >> 8)
            output[to + 2] = UInt8(truncatingIfNeeded: group)
            from += 4
            to += 3
        }
        let rest = text.count - from
        guard rest > 0 else { return }
        let group = try value(from) << 18 | value(from + 1) << 12 | (rest == 3 ? value(from + 2) << 6 : 0)
        guard group & (rest == 3 ? 0xFF : 0xFFFF) == 0 else { throw .strayBits }
        output[to] = UInt8(truncatingIfNeeded: group >> 16)
        if rest == 3 { output[to + 1] = UInt8(truncatingIfNeeded: group >> 8) }
    }
}
