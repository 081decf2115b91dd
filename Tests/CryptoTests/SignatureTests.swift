import COpenSSL
import Crypto
import Testing

@Suite struct SignatureTests {
    static let message = Array("eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbGljZSJ9".utf8)

    static func pair(_ scheme: SignatureScheme) throws -> (Signer, Verifier) {
        let key = try Fixture.privateKey(scheme.keyName)
        return (try Signer(key, scheme: scheme), try Verifier(key.publicKey, scheme: scheme))
    }

    @Test(arguments: SignatureScheme.all)
    func verifiesWhatItSigned(scheme: SignatureScheme) throws {
        let (signer, verifier) = try Self.pair(scheme)
        for message in [[], [0], Self.message, [UInt8](repeating: 0x41, count: 100_000)] as [[UInt8]] {
            let signature = try signer.sign(message)
            #expect(signature.count == signer.signatureByteCount)
            #expect(verifier.isValid(signature, for: message))
            var appended: [UInt8] = [1, 2, 3]
            try signer.append(signatureOf: message.span, to: &appended)
            #expect(Array(appended[..<3]) == [1, 2, 3])
            #expect(verifier.isValid(Array(appended[3...]), for: message))
        }
    }

    @Test(arguments: SignatureScheme.all)
    func refusesASignatureWithAnyBitChanged(scheme: SignatureScheme) throws {
        let (signer, verifier) = try Self.pair(scheme)
        let signature = try signer.sign(Self.message)
        for bit in stride(from: 0, to: signature.count * 8, by: signature.count > 200 ? 17 : 1) {
            var changed = signature
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!verifier.isValid(changed, for: Self.message), "bit \(bit)")
        }
        #expect(ERR_peek_error() == 0)
        // Refusing leaves the verifier in order.
        #expect(verifier.isValid(signature, for: Self.message))
    }

    @Test(arguments: SignatureScheme.all)
    func refusesASignatureOfAnotherLength(scheme: SignatureScheme) throws {
        let (signer, verifier) = try Self.pair(scheme)
        let signature = try signer.sign(Self.message)
        for length in 0..<signature.count {
            #expect(!verifier.isValid(Array(signature[..<length]), for: Self.message))
            #expect(!verifier.isValid(Array(signature[(signature.count - length)...]), for: Self.message))
        }
        #expect(!verifier.isValid(signature + [0], for: Self.message))
        #expect(!verifier.isValid([0] + signature, for: Self.message))
        #expect(!verifier.isValid(signature + signature, for: Self.message))
    }

    @Test(arguments: SignatureScheme.all)
    func refusesTheSignatureOfAnotherMessage(scheme: SignatureScheme) throws {
        let (signer, verifier) = try Self.pair(scheme)
        let signature = try signer.sign(Self.message)
        #expect(!verifier.isValid(signature, for: Array(Self.message.dropLast())))
        #expect(!verifier.isValid(signature, for: Self.message + [0]))
        #expect(!verifier.isValid(signature, for: []))
    }

    @Test(arguments: SignatureScheme.all)
    func refusesTheSignatureOfAnotherKey(scheme: SignatureScheme) throws {
        let (signer, _) = try Self.pair(scheme)
        let other = try PrivateKey.generate(Fixture.privateKey(scheme.keyName).kind)
        let verifier = try Verifier(other.publicKey, scheme: scheme)
        #expect(!verifier.isValid(try signer.sign(Self.message), for: Self.message))
    }

    @Test(arguments: SignatureScheme.all, SignatureScheme.all)
    func refusesTheSignatureOfAnotherScheme(made: SignatureScheme, checked: SignatureScheme) throws {
        guard made != checked, made.keyName == checked.keyName else { return }
        let (signer, _) = try Self.pair(made)
        let (_, verifier) = try Self.pair(checked)
        #expect(!verifier.isValid(try signer.sign(Self.message), for: Self.message))
    }

    @Test(arguments: SignatureScheme.all, ["rsa-2048", "ec-p256", "ec-p384", "ec-p521", "ed25519"])
    func refusesAKeyOfAnotherKind(scheme: SignatureScheme, name: String) throws {
        guard scheme.keyName != name else { return }
        let key = try Fixture.privateKey(name)
        let expected = CryptoError.schemeDoesNotFitKey(scheme: scheme, key: key.kind)
        #expect(throws: expected) { try Signer(key, scheme: scheme) }
        #expect(throws: expected) { try Verifier(key.publicKey, scheme: scheme) }
    }

    /// RFC 8017 section 9.1.1: hash and salt must find room in the modulus.
    @Test func refusesAKeyWithoutRoomForTheSalt() throws {
        let key = try PrivateKey(pem: Fixture.text("refused/rsa-1024.pkcs8"), allowing: .shortRSAKeys)
        #expect(throws: CryptoError.keyTooShortForScheme(.rsaPSS(.sha512))) {
            try Signer(key, scheme: .rsaPSS(.sha512))
        }
        #expect(throws: CryptoError.keyTooShortForScheme(.rsaPSS(.sha512))) {
            try Verifier(key.publicKey, scheme: .rsaPSS(.sha512))
        }
        let signature = try Signer(key, scheme: .rsaPSS(.sha384)).sign(Self.message)
        #expect(try Verifier(key.publicKey, scheme: .rsaPSS(.sha384)).isValid(signature, for: Self.message))
    }

    /// A curve with another hash than JSON Web Algorithms pair it with is a scheme of its own.
    @Test func aSchemeSaysWhichHash() throws {
        let key = try Fixture.privateKey("ec-p256")
        let signature = try Signer(key, scheme: .ecdsa(.p256, .sha512)).sign(Self.message)
        #expect(try Verifier(key.publicKey, scheme: .ecdsa(.p256, .sha512)).isValid(signature, for: Self.message))
        #expect(try !Verifier(key.publicKey, scheme: .ecdsa(.p256, .sha256)).isValid(signature, for: Self.message))
    }

    @Test(arguments: [SignatureScheme.ecdsa(.p256, .sha256), .rsaPSS(.sha256)])
    func signsTheSameMessageDifferentlyEachTime(scheme: SignatureScheme) throws {
        let (signer, _) = try Self.pair(scheme)
        #expect(try signer.sign(Self.message) != signer.sign(Self.message))
    }

    @Test(arguments: [SignatureScheme.rsaPKCS1(.sha256), .ed25519])
    func signsTheSameMessageTheSameWayEachTime(scheme: SignatureScheme) throws {
        let (signer, _) = try Self.pair(scheme)
        #expect(try signer.sign(Self.message) == signer.sign(Self.message))
    }
}
