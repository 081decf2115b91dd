import Primitives
import Testing

@Suite struct SecretTests {
    private let text = "correct horse battery staple"

    @Test func printsNothingOfItselfAnywhere() {
        let secret = Secret(utf8: text)
        struct Holder {
            let secret: Secret
            let list: [Secret]
            let maybe: Secret?
        }
        let holder = Holder(secret: secret, list: [secret], maybe: secret)
        var dumped = ""
        dump(secret, to: &dumped)
        dump(holder, to: &dumped)
        var printed = ""
        print(secret, holder, [secret], ["key": secret], Optional(secret) as Any, to: &printed)
        debugPrint(secret, holder, to: &printed)
        let texts = [
            "\(secret)", String(describing: secret), String(reflecting: secret), secret.description, dumped, printed,
            "\(holder)", String(reflecting: holder), "\(Mirror(reflecting: secret).children.map { $0 })",
        ]
        for shown in texts {
            #expect(!shown.contains("horse"))
            #expect(!shown.contains("99, 111, 114"))
            #expect(!shown.contains("0x"))
        }
        #expect("\(secret)" == "<redacted>")
        #expect(Mirror(reflecting: secret).children.isEmpty)
        #expect(dumped.contains("<redacted>"))
    }

    @Test func isEqualByItsBytes() {
        #expect(Secret(utf8: text) == Secret(Array(text.utf8)))
        #expect(Secret(utf8: "") == Secret([UInt8]()))
        #expect(Secret(utf8: text) != Secret(utf8: text + " "))
        #expect(Secret(utf8: "a") != Secret(utf8: "b"))
        #expect(Secret(utf8: "") != Secret(utf8: "a"))
    }

    @Test func lendsItsBytes() {
        let secret = Secret(byteCount: 4) { buffer in
            #expect(buffer.allSatisfy { $0 == 0 })
            buffer.copyBytes(from: [1, 2, 3, 4])
        }
        #expect(secret.count == 4)
        #expect(secret.withBytes { Array($0) } == [1, 2, 3, 4])
        struct Refused: Error {}
        #expect(throws: Refused.self) { try secret.withBytes { _ throws(Refused) in throw Refused() } }
    }

    @Test func isFilledFromTheRandomSourceItIsGiven() {
        let secret = Secret(randomByteCount: 32, from: SeededRandom(seed: 3))
        #expect(secret.withBytes { Array($0) } == SeededRandom(seed: 3).bytes(32))
    }
}

@Suite struct ConstantTimeTests {
    private func areSame(_ left: [UInt8], _ right: [UInt8]) -> Bool { constantTimeEquals(left.span, right.span) }

    @Test func textsAreTheSameToTheByteAndNotToTheReader() {
        #expect(constantTimeEquals("caf\u{E9}", "caf\u{E9}"))
        #expect(constantTimeEquals("", ""))
        // Equal for `String`, whose letters these are in two spellings.
        #expect(!constantTimeEquals("caf\u{E9}", "cafe\u{301}"))
        #expect(!constantTimeEquals("state", "state "))
        #expect(!constantTimeEquals("state", "State"))
    }

    @Test func noticesADifferenceInAnyBitOfAnyByte() {
        let bytes = SeededRandom(seed: 9).bytes(33)
        #expect(areSame(bytes, Array(bytes)))
        for position in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[position] ^= 1 << bit
                #expect(!areSame(bytes, other))
            }
        }
    }

    @Test func takesOtherLengthsForDifferent() {
        let bytes: [UInt8] = [0, 0, 0]
        #expect(!areSame(bytes, Array(bytes.dropLast())))
        #expect(!areSame(bytes, []))
        #expect(areSame([], []))
    }

    @Test func looksAtRawBytesToo() {
        let left: [UInt8] = [1, 2]
        let right: [UInt8] = [1, 3]
        left.withUnsafeBytes { left in
            #expect(constantTimeEquals(left, left))
            right.withUnsafeBytes { #expect(!constantTimeEquals(left, $0)) }
        }
    }

    @Test func wipesEveryByteAndNoneBeyond() {
        for length in 0..<40 {
            var bytes = [UInt8](repeating: 0xAA, count: 48)
            bytes.withUnsafeMutableBytes { wipe(UnsafeMutableRawBufferPointer(rebasing: $0[4..<4 + length])) }
            #expect(bytes == (0..<48).map { (4..<4 + length).contains($0) ? 0 : 0xAA })
        }
        wipe(UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }
}

@Suite struct RandomSourceTests {
    @Test func theSameSeedGivesTheSameBytes() {
        #expect(SeededRandom(seed: 7).bytes(100) == SeededRandom(seed: 7).bytes(100))
        #expect(SeededRandom(seed: 7).bytes(100) != SeededRandom(seed: 8).bytes(100))
        let random = SeededRandom(seed: 7)
        #expect(random.bytes(16) != random.bytes(16))
    }

    /// The first outputs of SplitMix64 for the seed 1234567, as published with the algorithm.
    @Test func theSeededSourceIsTheAlgorithmItNames() {
        let words: [UInt64] = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        let bytes = words.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
        #expect(SeededRandom(seed: 1_234_567).bytes(24) == bytes)
    }

    @Test func fillsEveryLength() {
        for length in 0..<40 { #expect(SystemRandom().bytes(length).count == length) }
        #expect(SystemRandom().bytes(32) != SystemRandom().bytes(32))
        // All zero is possible once in 2^256.
        #expect(SystemRandom().bytes(32).contains { $0 != 0 })
        #expect(SeededRandom(seed: 1).bytes(13) == Array(SeededRandom(seed: 1).bytes(16).prefix(13)))
    }

    @Test func identifiersAreBase64URLOfTheBytes() throws {
        let identifier = SeededRandom(seed: 5).identifier()
        #expect(identifier.utf8.count == 22)
        #expect(try Base64URL.decode(identifier) == SeededRandom(seed: 5).bytes(16))
        #expect(SeededRandom(seed: 5).identifier(byteCount: 32).utf8.count == 43)
    }
}
