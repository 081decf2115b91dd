import Primitives
import Testing

/// Held against what looks at one byte after the other.
@Suite struct EightBytesTests {
    private static let harmless = UInt8(ascii: "a")

    /// Each byte, at each place of texts that are shorter and longer than eight, beside others that are found as well.
    @Test(arguments: [0, 1, 7, 8, 9, 15, 16, 17, 24]) func findsTheFirstByteWhereverItIs(count: Int) {
        for place in 0..<count {
            for byte in UInt8.min...UInt8.max {
                var text = [UInt8](repeating: Self.harmless, count: count)
                text[place] = byte
                if place + 1 < count { text[place + 1] = UInt8(ascii: "&") }
                expectTheSame(text)
            }
        }
    }

    /// What is no match may stand right behind one, or before it, and differ from it by one bit.
    @Test func findsTheFirstAmongManyThatAreNearlyIt() {
        let random = SeededRandom(seed: 7)
        let bytes: [UInt8] = [0x00, 0x1F, 0x20, 0x21, 0x25, 0x26, 0x27, 0x7E, 0x7F, 0x80, 0x9F, 0xA6, 0xFF, 0x61]
        for round in 0..<10_000 {
            expectTheSame(random.bytes(round % 30).map { bytes[Int($0) % bytes.count] })
        }
    }

    private func expectTheSame(_ text: [UInt8]) {
        text.withUnsafeBufferPointer { text in
            for start in [0, text.count / 2, text.count] {
                let found = [
                    text.firstIndex(from: start) { $0.equal(to: UInt8(ascii: "&")) },
                    text.firstIndex(from: start) { $0.equal(to: 0) },
                    text.firstIndex(from: start) { $0.equal(to: 0x7F) },
                    text.firstIndex(from: start) { $0.below(0x20) },
                    text.firstIndex(from: start) { $0.below(0x80) },
                    text.firstIndex(from: start) { $0.beyondASCII },
                    text.firstIndex(from: start) { $0.below(0x21) | $0.equal(to: 0x25) | $0.beyondASCII },
                ]
                let rules: [(UInt8) -> Bool] = [
                    { $0 == UInt8(ascii: "&") }, { $0 == 0 }, { $0 == 0x7F }, { $0 < 0x20 }, { $0 < 0x80 },
                    { $0 >= 0x80 }, { $0 < 0x21 || $0 == 0x25 || $0 >= 0x80 },
                ]
                let expected = rules.map { rule in text[start...].firstIndex(where: rule) ?? text.count }
                if found != expected { Issue.record("\(Array(text)) from \(start): \(found), not \(expected)") }
            }
        }
    }

    @Test func findsNothingInNothing() {
        #expect(UnsafeBufferPointer<UInt8>(start: nil, count: 0).firstIndex(from: 0) { $0.beyondASCII } == 0)
    }
}
