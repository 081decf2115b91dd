import Crypto
import Primitives
import Testing

@Suite struct PEMWritingTests {
    func text(_ secret: Secret) -> String { secret.withBytes { String(decoding: $0, as: UTF8.self) } }

    @Test(arguments: Fixture.keyNames)
    func writesWhatTheCommandWrites(name: String) throws {
        let key = try Fixture.privateKey(name)
        #expect(text(try key.pem()) == (try Fixture.text("\(name).pkcs8")))
        #expect(try key.publicKey.pem() == Fixture.text("\(name).spki"))
        switch key.kind {
        case .rsa:
            #expect(text(try key.pem(.pkcs1)) == (try Fixture.text("\(name).pkcs1")))
            #expect(try key.publicKey.pem(.pkcs1) == Fixture.text("\(name).public.pkcs1"))
        case .ec:
            #expect(text(try key.pem(.sec1)) == (try Fixture.text("\(name).sec1")))
        case .ed25519:
            break
        }
    }

    @Test(arguments: [KeyKind.rsa(bits: 2048), .ec(.p256), .ec(.p384), .ec(.p521), .ed25519])
    func readsBackWhatItWrites(kind: KeyKind) throws {
        let key = try PrivateKey.generate(kind)
        #expect(key.kind == kind)
        for format in PrivateKey.PEMFormat.allCases {
            guard let pem = try? key.pem(format) else { continue }
            #expect(try PrivateKey(pem: text(pem)).publicKey == key.publicKey)
        }
        for format in PublicKey.PEMFormat.allCases {
            guard let pem = try? key.publicKey.pem(format) else { continue }
            #expect(try PublicKey(pem: pem) == key.publicKey)
        }
    }

    @Test(arguments: [
        ("ec-p256", PrivateKey.PEMFormat.pkcs1), ("ed25519", .pkcs1), ("rsa-2048", .sec1), ("ed25519", .sec1),
    ])
    func refusesAFormatOfAnotherKindOfKey(name: String, format: PrivateKey.PEMFormat) throws {
        let key = try Fixture.privateKey(name)
        #expect(throws: CryptoError.self) { try key.pem(format) }
    }

    @Test(arguments: ["ec-p256", "ed25519"])
    func refusesThePublicFormatOfAnotherKindOfKey(name: String) throws {
        let key = try Fixture.privateKey(name).publicKey
        #expect(throws: CryptoError.formatDoesNotFitKey(format: "PKCS#1", key: key.kind)) { try key.pem(.pkcs1) }
    }

    @Test func thePublicKeyOfAPairHoldsNothingPrivate() throws {
        let pem = try Fixture.privateKey("rsa-2048").publicKey.pem()
        #expect(!pem.contains("PRIVATE"))
        #expect(throws: CryptoError.wrongPEMContent(found: "a public key", expected: "a private key")) {
            try PrivateKey(pem: pem)
        }
    }
}
