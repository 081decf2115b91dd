import COpenSSL
import Crypto
import Foundation
import TestSupport
import Testing

@Suite struct PEMReadingTests {
    @Test(arguments: Fixture.keyNames)
    func readsEveryFormOfAKeyAsTheSameKey(name: String) throws {
        let key = try Fixture.privateKey(name)
        #expect(try PublicKey(pem: Fixture.text("\(name).spki")) == key.publicKey)
        switch key.kind {
        case .rsa(let bits):
            #expect(name == "rsa-\(bits)")
            let traditional = try PrivateKey(pem: Fixture.text("\(name).pkcs1"))
            #expect(traditional.rsaComponents == key.rsaComponents)
            #expect(try PublicKey(pem: Fixture.text("\(name).public.pkcs1")) == key.publicKey)
        case .ec:
            let traditional = try PrivateKey(pem: Fixture.text("\(name).sec1"))
            #expect(traditional.ecComponents == key.ecComponents)
        case .ed25519:
            #expect(name == "ed25519")
        }
    }

    /// RFC 5915 section 3: the public point is optional.
    @Test func computesAPublicPointThatIsLeftOut() throws {
        let key = try PrivateKey(pem: Fixture.text("ec-p256.no-public.sec1"))
        #expect(key.publicKey == (try Fixture.privateKey("ec-p256")).publicKey)
    }

    /// RFC 5958 section 2: version 1 may add the public key, which then has to be the right one.
    @Test func readsAKeyOfVersionOneAndChecksThePublicKeyInIt() throws {
        let der = try Fixture.der("ed25519.pkcs8")
        let publicKey = try #require(try Fixture.privateKey("ed25519").publicKey.ed25519Bytes)
        var extended: [UInt8] = [0x30, 0x51, 2, 1, 1] + der[5...] + [0x81, 33, 0] + publicKey
        let key = try PrivateKey(pem: Fixture.pem("PRIVATE KEY", extended))
        #expect(key.publicKey.ed25519Bytes == publicKey)

        extended[extended.count - 1] ^= 1
        #expect(throws: CryptoError.inconsistentKey("the public key does not belong to the seed")) {
            try PrivateKey(pem: Fixture.pem("PRIVATE KEY", extended))
        }
        extended[4] = 0
        #expect(
            throws: CryptoError.malformedKey(
                "the private key: version 1 is for a public key beside the private one, and for nothing else")
        ) {
            try PrivateKey(pem: Fixture.pem("PRIVATE KEY", extended))
        }
    }

    @Test func refusesAPublicKeyBesideAPrivateKeyThatHasItInside() throws {
        let der = try Fixture.der("ec-p256.pkcs8")
        let point: [UInt8] = try Fixture.der("ec-p256.spki").suffix(65)
        let extended: [UInt8] = [0x30, 0x81, 0xCB, 2, 1, 1] + der[6...] + [0x81, 66, 0] + point
        #expect(throws: CryptoError.malformedKey("the private key: version 1 is read for Ed25519 only")) {
            try PrivateKey(pem: Fixture.pem("PRIVATE KEY", extended))
        }
    }

    /// RFC 5915 section 3: the curve inside, where it is repeated, is the one outside.
    @Test func refusesTwoDifferentCurves() throws {
        func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] { [tag, UInt8(content.count)] + content }
        let p256: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
        let p384: [UInt8] = [0x2B, 0x81, 0x04, 0x00, 0x22]
        let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
        let scalar = [UInt8](repeating: 1, count: 32)
        func pem(_ inner: [UInt8]) -> String {
            let key = element(0x30, element(2, [1]) + element(4, scalar) + element(0xA0, element(6, inner)))
            let algorithm = element(0x30, element(6, ecPublicKey) + element(6, p256))
            return Fixture.pem("PRIVATE KEY", element(0x30, element(2, [0]) + algorithm + element(4, key)))
        }
        #expect(try PrivateKey(pem: pem(p256)).kind == .ec(.p256))
        #expect(throws: CryptoError.inconsistentKey("two different curves are named")) {
            try PrivateKey(pem: pem(p384))
        }
    }

    /// `openssl ecparam -genkey` writes the name of the curve in front.
    @Test func readsAnECKeyBehindTheParametersOfItsCurve() throws {
        #expect(try PrivateKey(pem: Fixture.text("ec-with-parameters.sec1")).kind == .ec(.p256))
    }

    @Test(arguments: [["rsa-2048.pkcs8"], ["ec-p256.spki"], ["ec-p256.sec1", "ec-p256.sec1"]])
    func refusesParametersBeforeAnythingElse(names: [String]) throws {
        let text = try ([Fixture.text("refused/ec-parameters")] + names.map(Fixture.text)).joined(separator: "\n")
        #expect(throws: CryptoError.severalPEMBlocks) { try PrivateKey(pem: text) }
    }

    @Test(arguments: ["\r\n", "\r", "  \n", "\t\n", "\n\n"])
    func readsWhateverEndsTheLines(ending: String) throws {
        let text = try Fixture.text("ec-p256.pkcs8").replacing("\n", with: ending)
        #expect(try PrivateKey(pem: "\n \n" + text + "\n\n").publicKey == Fixture.privateKey("ec-p256").publicKey)
    }

    @Test(arguments: [
        ("rsa-pss.pkcs8", CryptoError.unsupportedKeyType("RSASSA-PSS")),
        ("dsa.pkcs8", .unsupportedKeyType("DSA")),
        ("dsa.traditional", .unsupportedKeyType("DSA")),
        ("x25519.pkcs8", .unsupportedKeyType("X25519")),
        ("ed448.pkcs8", .unsupportedKeyType("Ed448")),
        ("ec-secp256k1.pkcs8", .unsupportedCurve("secp256k1")),
        ("ec-secp224r1.pkcs8", .unsupportedCurve("P-224")),
        ("ec-brainpoolP256r1.pkcs8", .unsupportedCurve("brainpoolP256r1")),
        ("ec-sect283k1.pkcs8", .unsupportedCurve("unknown")),
        ("ec-explicit.pkcs8", .explicitCurveParameters),
        ("ec-explicit.sec1", .explicitCurveParameters),
        ("encrypted.pkcs8", .encryptedKey),
        ("encrypted.pkcs1", .encryptedKey),
        ("rsa-three-primes.pkcs8", .multiPrimeRSA),
        ("rsa-composite-factor.pkcs1", .inconsistentKey("an RSA factor is not a prime")),
        ("rsa-1024.pkcs8", .rsaModulusTooShort(bits: 1024, minimum: 2048)),
        ("rsa-512.pkcs8", .rsaModulusTooShort(bits: 512, minimum: 2048)),
        ("rsa-with-text", .textOutsidePEMBlock),
        ("ec-parameters", .wrongPEMContent(found: "parameters without a key", expected: "a private key")),
        ("certificate", .wrongPEMContent(found: "a certificate", expected: "a private key")),
        ("certificate-request", .wrongPEMContent(found: "a certificate request", expected: "a private key")),
        ("openssh", .wrongPEMContent(found: "an OpenSSH private key", expected: "a private key")),
        ("x25519.spki", .wrongPEMContent(found: "a public key", expected: "a private key")),
    ])
    func refusesWhatIsNoPrivateKeyOfOurs(name: String, expected: CryptoError) throws {
        let text = try Fixture.text("refused/\(name)")
        #expect(throws: expected) { try PrivateKey(pem: text) }
        #expect(ERR_peek_error() == 0)
    }

    @Test(arguments: [
        ("rsa-pss.spki", CryptoError.unsupportedKeyType("RSASSA-PSS")),
        ("dsa.spki", .unsupportedKeyType("DSA")),
        ("x25519.spki", .unsupportedKeyType("X25519")),
        ("ed448.spki", .unsupportedKeyType("Ed448")),
        ("ec-secp256k1.spki", .unsupportedCurve("secp256k1")),
        ("ec-secp224r1.spki", .unsupportedCurve("P-224")),
        ("ec-brainpoolP256r1.spki", .unsupportedCurve("brainpoolP256r1")),
        ("ec-sect283k1.spki", .unsupportedCurve("unknown")),
        ("ec-explicit.spki", .explicitCurveParameters),
        ("ec-compressed.spki", .unsupportedPointForm),
        ("ec-hybrid.spki", .unsupportedPointForm),
        ("rsa-1024.spki", .rsaModulusTooShort(bits: 1024, minimum: 2048)),
        ("certificate", .wrongPEMContent(found: "a certificate", expected: "a public key")),
        ("encrypted.pkcs8", .wrongPEMContent(found: "an encrypted private key", expected: "a public key")),
        ("dsa.pkcs8", .wrongPEMContent(found: "a private key", expected: "a public key")),
    ])
    func refusesWhatIsNoPublicKeyOfOurs(name: String, expected: CryptoError) throws {
        let text = try Fixture.text("refused/\(name)")
        #expect(throws: expected) { try PublicKey(pem: text) }
        #expect(ERR_peek_error() == 0)
    }

    @Test func readsAShortRSAKeyOnlyWhenToldTo() throws {
        let text = try Fixture.text("refused/rsa-1024.pkcs8")
        #expect(try PrivateKey(pem: text, allowing: .shortRSAKeys).kind == .rsa(bits: 1024))
        let publicText = try Fixture.text("refused/rsa-1024.spki")
        #expect(try PublicKey(pem: publicText, allowing: .shortRSAKeys).kind == .rsa(bits: 1024))
        let tooShort = try Fixture.text("refused/rsa-512.pkcs8")
        #expect(throws: CryptoError.rsaModulusTooShort(bits: 512, minimum: 1024)) {
            try PrivateKey(pem: tooShort, allowing: .shortRSAKeys)
        }
    }

    static let key = "MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g"

    @Test(arguments: [
        ("", CryptoError.noPEMBlock),
        ("   \n\t\n", .noPEMBlock),
        ("not a key", .noPEMBlock),
        (key, .noPEMBlock),
        ("-----BEGIN PRIVATE KEY-----", .malformedPEM("there is no END line")),
        ("-----BEGIN PRIVATE KEY-----\n\(key)\n", .malformedPEM("there is no END line")),
        ("-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----", .malformedPEM("the block is empty")),
        (
            "-----BEGIN PRIVATE KEY-----\n\(key)\n-----END EC PRIVATE KEY-----",
            .malformedPEM("BEGIN and END name different things")
        ),
        (
            "-----BEGIN SECRET KEY-----\n\(key)\n-----END SECRET KEY-----",
            .wrongPEMContent(found: "something unknown", expected: "a key")
        ),
        ("-----BEGIN -----\n\(key)\n-----END -----", .wrongPEMContent(found: "something unknown", expected: "a key")),
        (
            "-----BEGIN  PRIVATE KEY-----\n\(key)\n-----END  PRIVATE KEY-----",
            .wrongPEMContent(found: "something unknown", expected: "a key")
        ),
        ("----BEGIN PRIVATE KEY----\n\(key)\n----END PRIVATE KEY----", .noPEMBlock),
        ("x\n-----BEGIN PRIVATE KEY-----\n\(key)\n-----END PRIVATE KEY-----", .textOutsidePEMBlock),
        ("-----BEGIN PRIVATE KEY-----\n\(key)\n-----END PRIVATE KEY-----\nx", .textOutsidePEMBlock),
        ("-----BEGIN PRIVATE KEY-----\n\(key)\n-----END PRIVATE KEY-----x", .malformedPEM("there is no END line")),
        ("-----BEGIN PRIVATE KEY-----\n\(key)\n-----END PRIVATE KEY-----\n\0", .textOutsidePEMBlock),
        (
            "-----BEGIN PRIVATE KEY-----\n\(key)\n-----END PRIVATE KEY-----\n-----BEGIN PRIVATE KEY-----\n\(key)\n-----END PRIVATE KEY-----",
            .severalPEMBlocks
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nComment: 1\n\n\(key)\n-----END PRIVATE KEY-----",
            .encryptedKey
        ),
        (
            "-----BEGIN PRIVATE KEY-----\n\(key.replacing("9g", with: "9-"))\n-----END PRIVATE KEY-----",
            .malformedPEM("a character that is not Base64")
        ),
        (
            "-----BEGIN PRIVATE KEY-----\n\(key.replacing("rn9", with: "r n9"))\n-----END PRIVATE KEY-----",
            .malformedPEM("the Base64 is cut off, or more than Base64 stands among it")
        ),
        (
            "-----BEGIN PRIVATE KEY-----\n\(key.dropLast())\n-----END PRIVATE KEY-----",
            .malformedPEM("the Base64 is cut off, or more than Base64 stands among it")
        ),
        (
            "-----BEGIN PRIVATE KEY-----\n\(key)====\n-----END PRIVATE KEY-----", .malformedPEM("too much padding")
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nAA==\(key)\n-----END PRIVATE KEY-----",
            .malformedPEM("Base64 goes on after its padding")
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nAA==\n\(key)\n-----END PRIVATE KEY-----",
            .malformedPEM("Base64 goes on after its padding")
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nAB==\n-----END PRIVATE KEY-----",
            .malformedPEM("stray bits before the padding")
        ),
        (
            "-----BEGIN PRIVATE KEY-----\nAAB=\n-----END PRIVATE KEY-----",
            .malformedPEM("stray bits before the padding")
        ),
        ("-----BEGIN PRIVATE KEY-----\nA===\n-----END PRIVATE KEY-----", .malformedPEM("too much padding")),
        (
            "-----BEGIN PRIVATE KEY-----\nAA=A\n-----END PRIVATE KEY-----",
            .malformedPEM("Base64 goes on after its padding")
        ),
        (String(repeating: "A", count: 65_537), .pemTooLong(limitInBytes: 65_536)),
    ])
    func refusesAMalformedBlock(text: String, expected: CryptoError) {
        #expect(throws: expected) { try PrivateKey(pem: text) }
    }

    @Test func readsTheBlockThatTheMalformedOnesAreMadeFrom() throws {
        let text = "-----BEGIN PRIVATE KEY-----\n\(Self.key)\n-----END PRIVATE KEY-----"
        #expect(try PrivateKey(pem: text).kind == .ed25519)
    }

    /// Cut anywhere, lengthened, or with any bit changed, a key is refused or is another well-formed key; it never is
    /// the same key by a second spelling.
    @Test(arguments: ["ec-p256.pkcs8", "ec-p256.sec1", "ed25519.pkcs8", "ec-p256.no-public.sec1"])
    func refusesAPrivateKeyThatIsCutOrChanged(name: String) throws {
        let label = name.hasSuffix("sec1") ? "EC PRIVATE KEY" : "PRIVATE KEY"
        let der = try Fixture.der(name)
        let key = try PrivateKey(pem: Fixture.pem(label, der))
        for length in 0..<der.count {
            #expect(throws: CryptoError.self) { try PrivateKey(pem: Fixture.pem(label, Array(der[..<length]))) }
        }
        #expect(throws: CryptoError.self) { try PrivateKey(pem: Fixture.pem(label, der + [0])) }
        for bit in 0..<der.count * 8 {
            var changed = der
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            if let other = try? PrivateKey(pem: Fixture.pem(label, changed)) {
                #expect(other.publicKey != key.publicKey, "bit \(bit)")
            }
        }
    }

    @Test(arguments: ["ec-p256.spki", "ed25519.spki", "rsa-2048.spki"])
    func refusesAPublicKeyThatIsCutOrChanged(name: String) throws {
        let der = try Fixture.der(name)
        let key = try PublicKey(pem: Fixture.pem("PUBLIC KEY", der))
        for length in 0..<der.count {
            #expect(throws: CryptoError.self) { try PublicKey(pem: Fixture.pem("PUBLIC KEY", Array(der[..<length]))) }
        }
        #expect(throws: CryptoError.self) { try PublicKey(pem: Fixture.pem("PUBLIC KEY", der + [0])) }
        for bit in 0..<der.count * 8 {
            var changed = der
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            if let other = try? PublicKey(pem: Fixture.pem("PUBLIC KEY", changed)) {
                #expect(other != key, "bit \(bit)")
            }
        }
    }

    /// A bit of an RSA private key that is changed always contradicts the others.
    @Test func refusesAnRSAPrivateKeyWithABitChanged() throws {
        let der = try Fixture.der("rsa-2048.pkcs1")
        for byte in stride(from: 0, to: der.count, by: 3) {
            var changed = der
            changed[byte] ^= 0x10
            #expect(throws: CryptoError.self, "byte \(byte)") {
                try PrivateKey(pem: Fixture.pem("RSA PRIVATE KEY", changed))
            }
        }
    }

    /// X.690 section 10.1: lengths are definite and in their shortest form.
    @Test func refusesEncodingsThatAreNotDistinguished() throws {
        let der = try Fixture.der("ed25519.pkcs8")
        let body = Array(der[2...])
        let variants: [[UInt8]] = [
            [0x30, 0x81, 0x2E] + body,
            [0x30, 0x82, 0x00, 0x2E] + body,
            [0x30, 0x80] + body + [0, 0],
            [0x31, 0x2E] + body,
            [0x30, 0x2F, 2, 2, 0, 0] + body.dropFirst(3),
            [0x30, 0x84, 0, 0, 0, 0x2E] + body,
            [0x30, 0x88, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] + body,
            [0x30, 0xFF] + body,
            [0x30],
        ]
        for variant in variants {
            #expect(throws: CryptoError.self) { try PrivateKey(pem: Fixture.pem("PRIVATE KEY", variant)) }
        }
    }

    @Test func anErrorHoldsNothingOfTheKey() throws {
        let text = try Fixture.text("ec-p256.pkcs8")
        let body = text.split(separator: "\n")[1]
        let broken = text.replacing("-----END PRIVATE KEY-----", with: "-----END KEY-----")
        do {
            _ = try PrivateKey(pem: broken)
            Issue.record("accepted")
        } catch {
            #expect(!"\(error)".contains(body.prefix(8)))
            #expect(!String(reflecting: error).contains(body.prefix(8)))
        }
    }
}
