import Crypto
import Primitives
import Testing

/// Sealing and opening by NIST SP 800-38D.
@Suite struct AES256GCMTests {
    struct Vector: Sendable {
        let key: String
        let nonce: String
        let data: String
        let plaintext: String
        let sealed: String
    }

    private static let key = "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308"
    private static let plaintext = """
        d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
        1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
        """
    private static let ciphertext = """
        522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
        8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
        """

    /// Test cases 13 to 16 of the submission of GCM to NIST (McGrew and Viega, appendix B).
    static let vectors = [
        Vector(
            key: String(repeating: "0", count: 64), nonce: String(repeating: "0", count: 24), data: "", plaintext: "",
            sealed: "530f8afbc74536b9a963b4f1c4cb738b"),
        Vector(
            key: String(repeating: "0", count: 64), nonce: String(repeating: "0", count: 24), data: "",
            plaintext: String(repeating: "0", count: 32),
            sealed: "cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"),
        Vector(
            key: key, nonce: "cafebabefacedbaddecaf888", data: "", plaintext: plaintext + "1aafd255",
            sealed: ciphertext + "898015adb094dac5d93471bdec1a502270e3cc6c"),
        Vector(
            key: key, nonce: "cafebabefacedbaddecaf888", data: "feedfacedeadbeeffeedfacedeadbeefabaddad2",
            plaintext: plaintext, sealed: ciphertext + "76fc6ece0f4e1768cddf8853bb2d551b"),
    ]

    @Test(arguments: vectors)
    func sealsAndOpensAsNISTHasIt(_ vector: Vector) throws {
        let cipher = try AES256GCM(key: Secret(hex(vector.key)))
        let (nonce, data) = (hex(vector.nonce), hex(vector.data))
        let sealed = try cipher.seal(hex(vector.plaintext), nonce: nonce, authenticating: data)
        #expect(sealed == hex(vector.sealed))
        #expect(
            try cipher.open(sealed, nonce: nonce, authenticating: data) == hex(vector.plaintext))
    }

    private let cipher: AES256GCM
    private let nonce = [UInt8](0..<12)
    private let data = Array("header".utf8)
    private let message = Array("a small message".utf8)
    private let sealed: [UInt8]

    init() throws {
        cipher = try AES256GCM(key: Secret([UInt8](0..<32)))
        let (message, nonce, data) = (message, nonce, data)
        sealed = try cipher.seal(message, nonce: nonce, authenticating: data)
    }

    private func expectRefusal(
        _ sealed: [UInt8], nonce: [UInt8]? = nil, data: [UInt8]? = nil, by other: AES256GCM? = nil,
        _ comment: Comment? = nil, at place: SourceLocation = #_sourceLocation
    ) {
        #expect(throws: CryptoError.notAuthentic, comment, sourceLocation: place) {
            try (other ?? cipher).open(
                sealed, nonce: nonce ?? self.nonce, authenticating: data ?? self.data)
        }
    }

    @Test func refusesAMessageThatDiffersInAnyBit() throws {
        for bit in 0..<sealed.count * 8 {
            var other = sealed
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            expectRefusal(other, "bit \(bit)")
        }
        #expect(try cipher.open(sealed, nonce: nonce, authenticating: data) == message)
    }

    @Test func refusesAnotherNonceOrOtherData() {
        for bit in 0..<nonce.count * 8 {
            var other = nonce
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            expectRefusal(sealed, nonce: other)
        }
        for bit in 0..<data.count * 8 {
            var other = data
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            expectRefusal(sealed, data: other)
        }
        expectRefusal(sealed, data: [])
        expectRefusal(sealed, data: data + [0])
    }

    @Test func refusesAnotherKey() throws {
        for bit in stride(from: 0, to: 256, by: 7) {
            var key = [UInt8](0..<32)
            key[bit / 8] ^= 1 << UInt8(bit % 8)
            expectRefusal(sealed, by: try AES256GCM(key: Secret(key)))
        }
    }

    @Test func refusesWhatWasCutOffOrMadeLonger() {
        for count in 0..<sealed.count { expectRefusal(Array(sealed.prefix(count)), "\(count) bytes") }
        for count in 1...sealed.count { expectRefusal(Array(sealed.suffix(sealed.count - count))) }
        expectRefusal(sealed + [0])
    }

    /// A tag that is right only as far as it goes is none: SP 800-38D appendix C is about what that would cost.
    @Test func refusesAShortenedTag() {
        for count in 1...16 { expectRefusal(Array(sealed.dropLast(count))) }
    }

    @Test func sealsNothingAndMuch() throws {
        for count in [0, 1, 15, 16, 17, 1 << 20] {
            let message = [UInt8](repeating: 0x5A, count: count)
            let sealed = try cipher.seal(message, nonce: nonce, authenticating: [])
            #expect(sealed.count == count + AES256GCM.tagByteCount)
            #expect(try cipher.open(sealed, nonce: nonce, authenticating: []) == message)
            expectRefusal(sealed, data: [0])
        }
    }

    @Test(arguments: [0, 1, 16, 24, 31, 33, 64])
    func refusesAKeyOfAnotherLength(count: Int) {
        #expect(throws: CryptoError.wrongLength(part: "the key", expectedBytes: 32, foundBytes: count)) {
            try AES256GCM(key: Secret([UInt8](repeating: 1, count: count)))
        }
    }

    @Test(arguments: [0, 1, 8, 11, 13, 16])
    func refusesANonceOfAnotherLength(count: Int) {
        let nonce = [UInt8](repeating: 1, count: count)
        let error = CryptoError.wrongLength(part: "the nonce", expectedBytes: 12, foundBytes: count)
        #expect(throws: error) { try cipher.seal(message, nonce: nonce, authenticating: data) }
        #expect(throws: error) { try cipher.open(sealed, nonce: nonce, authenticating: data) }
    }

    @Test func isUsedByManyAtOnce() async {
        await withTaskGroup(of: Bool.self) { group in
            for index in 0..<64 {
                group.addTask { [cipher, data] in
                    let nonce = [UInt8](repeating: UInt8(index), count: 12)
                    let message = [UInt8](repeating: UInt8(index), count: index * 7)
                    guard let sealed = try? cipher.seal(message, nonce: nonce, authenticating: data)
                    else { return false }
                    return (try? cipher.open(sealed, nonce: nonce, authenticating: data)) == message
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
