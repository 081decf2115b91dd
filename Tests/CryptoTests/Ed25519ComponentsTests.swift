import Crypto
import Primitives
import Testing

@Suite struct Ed25519ComponentsTests {
    @Test func comesOutAsItWentIn() throws {
        let key = try Fixture.privateKey("ed25519")
        let seed = try #require(key.ed25519Seed)
        let bytes = try #require(key.publicKey.ed25519Bytes)
        #expect(try PrivateKey(ed25519Seed: seed).publicKey == key.publicKey)
        #expect(try PrivateKey(ed25519Seed: seed, publicKey: bytes).ed25519Seed == seed)
        #expect(try PublicKey(ed25519: bytes) == key.publicKey)
        #expect(key.rsaComponents == nil)
        #expect(key.ecComponents == nil)
    }

    @Test func refusesAPublicKeyThatBelongsToAnotherSeed() throws {
        let key = try Fixture.privateKey("ed25519")
        let seed = try #require(key.ed25519Seed)
        var bytes = try #require(key.publicKey.ed25519Bytes)
        bytes[0] ^= 1
        #expect(throws: CryptoError.inconsistentKey("the public key does not belong to the seed")) {
            try PrivateKey(ed25519Seed: seed, publicKey: bytes)
        }
        #expect(throws: CryptoError.wrongLength(part: "the public key", expectedBytes: 32, foundBytes: 31)) {
            try PrivateKey(ed25519Seed: seed, publicKey: Array(bytes.dropLast()))
        }
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func refusesPartsOfAnotherLength(count: Int) {
        let bytes = [UInt8](repeating: 9, count: count)
        #expect(throws: CryptoError.wrongLength(part: "the seed", expectedBytes: 32, foundBytes: count)) {
            try PrivateKey(ed25519Seed: Secret(bytes))
        }
        #expect(throws: CryptoError.wrongLength(part: "the public key", expectedBytes: 32, foundBytes: count)) {
            try PublicKey(ed25519: bytes)
        }
    }

    /// The encodings of the eight points of small order, and those that a verifier may take for them.
    @Test(arguments: [
        "0000000000000000000000000000000000000000000000000000000000000000",
        "0000000000000000000000000000000000000000000000000000000000000080",
        "0100000000000000000000000000000000000000000000000000000000000000",
        "0100000000000000000000000000000000000000000000000000000000000080",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
    ])
    func refusesAPublicKeyOfSmallOrder(text: String) {
        #expect(throws: CryptoError.smallOrderPoint) { try PublicKey(ed25519: hex(text)) }
    }
}
