import Primitives

/// Names a request: seven random characters that stand for the loop and eight that count, 15 in all, which is what a
/// `String` holds without an allocation. Unique, not secret.
struct RequestID {
    private let bytes: SIMD16<UInt8>

    static let length = 15

    fileprivate init(bytes: SIMD16<UInt8>) {
        self.bytes = bytes
    }

    var text: String {
        String(unsafeUninitializedCapacity: Self.length) { text in
            for index in 0..<Self.length { text[index] = bytes[index] }
            return Self.length
        }
    }

    func append(to output: inout [UInt8]) {
        withUnsafeBytes(of: bytes) { output.append(contentsOf: UnsafeRawBufferPointer(rebasing: $0[..<Self.length])) }
    }
}

/// The names that one loop gives.
struct RequestIDs {
    private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
    private static let prefixLength = 7

    private var last: SIMD16<UInt8>
    private var count: UInt64 = 0

    init(random: some RandomSource) {
        last = SIMD16(repeating: Self.alphabet[0])
        for (index, byte) in random.bytes(Self.prefixLength).enumerated() {
            last[index] = Self.alphabet[Int(byte & 31)]
        }
    }

    mutating func next() -> RequestID {
        count &+= 1
        // Counts in the number's last digit; those before it change when it overflows.
        var rest = count
        var position = RequestID.length - 1
        repeat {
            last[position] = Self.alphabet[Int(rest & 31)]
            guard rest & 31 == 0 else { break }
            rest >>= 5
            position -= 1
        } while position >= Self.prefixLength
        return RequestID(bytes: last)
    }
}
