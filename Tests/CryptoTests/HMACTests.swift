import Crypto
import Primitives
import Testing

@Suite struct HMACTests {
    struct Vector: Sendable {
        let key: [UInt8]
        let message: [UInt8]
        let codes: [HashFunction: String]
    }

    /// RFC 4231 sections 4.2, 4.3 and 4.7 (a key longer than a block).
    static let vectors = [
        Vector(
            key: [UInt8](repeating: 0x0B, count: 20), message: Array("Hi There".utf8),
            codes: [
                .sha256: "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
                .sha384: """
                afd03944d84895626b0825f4ab46907f15f9dadbe4101ec682aa034c7cebc59c
                faea9ea9076ede7f4af152e8b2fa9cb6
                """,
                .sha512: """
                87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde
                daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854
                """,
            ]),
        Vector(
            key: Array("Jefe".utf8), message: Array("what do ya want for nothing?".utf8),
            codes: [
                .sha256: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
                .sha384: """
                af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e
                8e2240ca5e69e2c78b3239ecfab21649
                """,
                .sha512: """
                164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554
                9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737
                """,
            ]),
        Vector(
            key: [UInt8](repeating: 0xAA, count: 131),
            message: Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            codes: [
                .sha256: "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
                .sha384: """
                4ece084485813e9088d2c63a041bc5b44f9ef1012a2b588f3cd11f05033ac4c6
                0c2ef6ab4030fe8296248df163f44952
                """,
                .sha512: """
                80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352
                6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598
                """,
            ]),
    ]

    @Test(arguments: vectors.indices, HashFunction.allCases)
    func makesTheCodesOfRFC4231(index: Int, hash: HashFunction) throws {
        let vector = Self.vectors[index]
        let hmac = HMAC(hash, key: Secret(vector.key))
        let expected = hex(try #require(vector.codes[hash]))
        #expect(hmac.authenticate(vector.message.span) == expected)
        var appended: [UInt8] = [1]
        hmac.append(codeFor: vector.message.span, to: &appended)
        #expect(appended == [1] + expected)
        #expect(hmac.isValid(expected, for: vector.message))
    }

    @Test(arguments: HashFunction.allCases)
    func refusesACodeThatDiffersInAnyBit(hash: HashFunction) {
        let hmac = HMAC(hash, key: Secret(utf8: "a key that is long enough for what is done with it here"))
        let code = hmac.authenticate("message".utf8.span)
        for bit in 0..<code.count * 8 {
            var other = code
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!hmac.isValid(other, for: "message"))
        }
    }

    @Test(arguments: HashFunction.allCases)
    func refusesACodeThatIsShorterOrLonger(hash: HashFunction) {
        let hmac = HMAC(hash, key: Secret(utf8: "key"))
        let code = hmac.authenticate("message".utf8.span)
        for length in 0..<code.count {
            #expect(!hmac.isValid(Array(code.prefix(length)), for: "message"))
        }
        #expect(!hmac.isValid(code + [0], for: "message"))
        #expect(!hmac.isValid(code + code, for: "message"))
    }

    @Test(arguments: HashFunction.allCases)
    func refusesTheCodeOfAnotherMessageKeyOrHash(hash: HashFunction) {
        let hmac = HMAC(hash, key: Secret(utf8: "key"))
        let code = hmac.authenticate("message".utf8.span)
        #expect(!hmac.isValid(code, for: "massage"))
        #expect(!hmac.isValid(code, for: [UInt8]()))
        #expect(!HMAC(hash, key: Secret(utf8: "kez")).isValid(code, for: "message"))
        for other in HashFunction.allCases where other != hash {
            #expect(!HMAC(other, key: Secret(utf8: "key")).isValid(code, for: "message"))
        }
    }

    /// RFC 2104 section 2: a key is padded with zeros, one longer than a block is hashed, one of just a block is not.
    @Test func aKeyOfABlockIsTakenAsItIs() {
        let key = [UInt8](repeating: 0x61, count: 64)
        let longer = [UInt8](repeating: 0x61, count: 65)
        let message = "message"
        let code = HMAC(.sha256, key: Secret(key)).authenticate(message.utf8.span)
        #expect(code != HMAC(.sha256, key: Secret(longer)).authenticate(message.utf8.span))
        let digest = HashFunction.sha256.digest(longer.span)
        #expect(
            HMAC(.sha256, key: Secret(digest)).authenticate(message.utf8.span)
                == HMAC(.sha256, key: Secret(longer)).authenticate(message.utf8.span))
        #expect(
            code != HMAC(.sha256, key: Secret(HashFunction.sha256.digest(key.span))).authenticate(message.utf8.span))
    }

    @Test func authenticatesNothingAndMuch() {
        let hmac = HMAC(.sha256, key: Secret([UInt8]()))
        #expect(
            hmac.authenticate([UInt8]().span)
                == hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
        let much = [UInt8](repeating: 0x5A, count: 1 << 20)
        #expect(hmac.isValid(hmac.authenticate(much.span), for: much))
    }
}
