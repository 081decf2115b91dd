import Crypto
import Primitives
import Testing

/// Known answers.
@Suite struct SignatureVectorTests {
    /// RFC 8032 section 7.1, tests 1 to 3 and SHA(abc).
    @Test(arguments: [
        (
            "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            "",
            """
            e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
            5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
            """
        ),
        (
            "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            "72",
            """
            92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
            085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
            """
        ),
        (
            "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            "af82",
            """
            6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
            18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
            """
        ),
    ])
    func signsTheExamplesOfRFC8032(seed: String, publicKey: String, message: String, signature: String) throws {
        let key = try PrivateKey(ed25519Seed: Secret(hex(seed)), publicKey: hex(publicKey))
        #expect(try Signer(key, scheme: .ed25519).sign(hex(message)) == hex(signature))
        let verifier = try Verifier(PublicKey(ed25519: hex(publicKey)), scheme: .ed25519)
        #expect(verifier.isValid(hex(signature), for: hex(message)))
        #expect(!verifier.isValid(hex(signature), for: hex(message) + [0]))
    }

    /// RFC 6979 appendix A.2.5: made with a derived k, which a verifier cannot tell from a random one.
    @Test(arguments: [
        (
            "sample", HashFunction.sha256,
            "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716",
            "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
        ),
        (
            "test", .sha256,
            "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367",
            "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
        ),
        (
            "sample", .sha512,
            "8496A60B5E9B47C825488827E0495B0E3FA109EC4568FD3F8D1097678EB97F00",
            "2362AB1ADBE2B8ADF9CB9EDAB740EA6049C028114F2460F96554F61FAE3302FE"
        ),
    ])
    func verifiesTheExamplesOfRFC6979(message: String, hash: HashFunction, r: String, s: String) throws {
        let components = ECPrivateComponents(
            publicComponents: ECPublicComponents(
                curve: .p256,
                x: hex("60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"),
                y: hex("7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299")),
            scalar: Secret(hex("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")))
        let key = try PrivateKey(ec: components)
        let verifier = try Verifier(key.publicKey, scheme: .ecdsa(.p256, hash))
        #expect(verifier.isValid(hex(r) + hex(s), for: message))
        #expect(!verifier.isValid(hex(s) + hex(r), for: message))
        #expect(!verifier.isValid(hex(r) + hex(s), for: message + "s"))
    }
}
