// swift-format-ignore-file
import Crypto
import OpenSSLCrypto
import Primitives
import SessionClient

/// What is made over the model of CryptoKit is of use over OpenSSL, and the other way about. Ends with an error where it is not.
enum CryptoCheck {
    typealias Ours = Crypto.PrivateKey
    typealias Theirs = OpenSSLCrypto.PrivateKey

    static func run() throws {
        try digests()
        try sealing()
        try keys()
        try refusals()
        try proofs()
        print("what CryptoKit's side makes is of use to OpenSSL's, and the other way about, on the model")
    }

    static func expect(_ condition: Bool, _ rule: String) { KeychainCheck.expect(condition, rule) }

    static func digests() throws {
        for count in [0, 1, 63, 64, 200] {
            let message = SystemRandom().bytes(count)
            for (ours, theirs) in zip(Crypto.HashFunction.allCases, OpenSSLCrypto.HashFunction.allCases) {
                expect(ours.digest(message.span) == theirs.digest(message.span), "\(ours) of \(count) bytes")
            }
        }
    }

    static func sealing() throws {
        for count in [0, 1, 16, 1000] {
            let key = Secret(randomByteCount: 32, from: SystemRandom())
            let (nonce, data, message) = (SystemRandom().bytes(12), SystemRandom().bytes(count / 3), SystemRandom().bytes(count))
            let (ours, theirs) = (try Crypto.AES256GCM(key: key), try OpenSSLCrypto.AES256GCM(key: key))
            var sealed = try ours.seal(message.span, nonce: nonce.span, authenticating: data.span)
            expect(try sealed == theirs.seal(message.span, nonce: nonce.span, authenticating: data.span), "the same bytes")
            expect(try theirs.open(sealed.span, nonce: nonce.span, authenticating: data.span) == message, "opened by OpenSSL")
            expect(try ours.open(sealed.span, nonce: nonce.span, authenticating: data.span) == message, "opened by CryptoKit")
            for index in [0, sealed.count / 2, sealed.count - 1] {
                sealed[index] ^= 1
                expect(fault { _ = try ours.open(sealed.span, nonce: nonce.span, authenticating: data.span) } == .notAuthentic, "changed")
                sealed[index] ^= 1
            }
            let (other, short) = ([1] + data, Array(sealed.dropLast(count + 1)))
            expect(fault { _ = try ours.open(sealed.span, nonce: nonce.span, authenticating: other.span) } == .notAuthentic, "other data")
            expect(fault { _ = try ours.open(short.span, nonce: nonce.span, authenticating: data.span) } == .notAuthentic, "cut off")
        }
    }

    static func keys() throws {
        let message = Array("a message".utf8)
        for _ in 0..<20 {
            let ours = try Ours.generate(.ec(.p256))
            let text = try ours.pem(.pkcs8)
            let theirs = try text.withBytes { try Theirs(pem: $0.assumingMemoryBound(to: UInt8.self).span) }
            expect(try theirs.pem(.pkcs8) == text, "the same text, to the byte")
            let (left, right) = (ours.publicKey.ecComponents!, theirs.publicKey.ecComponents!)
            expect(left.x == right.x && left.y == right.y, "the same point")
            let signature = try Crypto.Signer(ours, scheme: .ecdsa(.p256, .sha256)).sign(message.span)
            let verifier = try OpenSSLCrypto.Verifier(theirs.publicKey, scheme: .ecdsa(.p256, .sha256))
            expect(verifier.isValid(signature.span, for: message.span), "a signature")
            expect(!verifier.isValid(signature.span, for: signature.span), "of another message")

            // And keys of theirs, in both of their formats.
            let made = try Theirs.generate(.ec(.p256))
            for format in [Theirs.PEMFormat.pkcs8, .sec1] {
                let read = try read(try made.pem(format))
                expect(read.publicKey.ecComponents!.x == made.publicKey.ecComponents!.x, "a key of theirs")
                expect(try read.pem() == made.pem(.pkcs8), "is written back")
            }
        }
    }

    static func refusals() throws {
        for kind in [OpenSSLCrypto.KeyKind.ec(.p384), .ec(.p521), .ed25519, .rsa(bits: 2048)] {
            let text = try Theirs.generate(kind).pem(.pkcs8)
            guard case .unsupportedKeyType? = fault({ _ = try read(text) }) else { fatalError("\(kind) is none of ours") }
        }
        for kind in [Crypto.KeyKind.ec(.p384), .ed25519, .rsa(bits: 2048)] {
            guard case .unsupportedKeyType? = fault({ _ = try Ours.generate(kind) }) else { fatalError("\(kind)") }
        }
        let zero = Secret([UInt8](repeating: 0, count: 32))
        expect(fault { _ = try Ours(curve: .p256, scalar: zero) } == .privateScalarOutOfRange, "zero")
        let most = Secret([UInt8](repeating: 0xFF, count: 32))
        expect(fault { _ = try Ours(curve: .p256, scalar: most) } == .privateScalarOutOfRange, "above the order")
        guard case .wrongLength? = fault({ _ = try Ours(curve: .p256, scalar: Secret([1])) }) else { fatalError("short") }
        guard case .wrongLength? = fault({ _ = try Crypto.AES256GCM(key: Secret([1])) }) else { fatalError("a short key") }
        let key = try Ours.generate(.ec(.p256))
        guard case .schemeDoesNotFitKey? = fault({ _ = try Crypto.Signer(key, scheme: .ecdsa(.p256, .sha384)) }) else {
            fatalError("another hash")
        }
        // The point of one key beside the scalar of another.
        var mixed = try Ours.generate(.ec(.p256)).ecComponents!
        mixed.publicComponents = key.publicKey.ecComponents!
        guard case .inconsistentKey? = fault({ _ = try Ours(ec: mixed) }) else { fatalError("two keys in one") }
        expect(fault { _ = try read(Secret(utf8: "nothing")) } == .noPEMBlock, "no key")
    }

    /// The thumbprint of RFC 7638, from OpenSSL's numbers.
    static func proofs() throws {
        let key = try DPoPKey.generate()
        let theirs = try key.pem().withBytes { try Theirs(pem: $0.assumingMemoryBound(to: UInt8.self).span) }
        let point = theirs.publicKey.ecComponents!
        let text = #"{"crv":"P-256","kty":"EC","x":"\#(Base64URL.encode(point.x))","y":"\#(Base64URL.encode(point.y))"}"#
        expect(key.thumbprint == Base64URL.encode(OpenSSLCrypto.HashFunction.sha256.digest(Array(text.utf8).span)), "the thumbprint")
        expect(try DPoPKey(pem: theirs.pem(.sec1)) == key, "the key of a record")
    }

    /// Finds a key in the store of a process that has OpenSSL, and leaves the thumbprint of the key there.
    static func answer(in store: EncryptedFileStore) async throws {
        guard let entry = try await store.read() else { fatalError("nothing is there") }
        let key = try DPoPKey(pem: Secret(entry.payload))
        expect(try await store.write(Array(key.thumbprint.utf8), over: entry.version) != .conflict, "an answer")
    }

    static func read(_ text: Secret) throws(Crypto.CryptoError) -> Ours {
        try text.withBytes { (bytes) throws(Crypto.CryptoError) in try Ours(pem: bytes.assumingMemoryBound(to: UInt8.self).span) }
    }

    static func fault(_ body: () throws -> Void) -> Crypto.CryptoError? {
        do { try body() } catch { return error as? Crypto.CryptoError }
        return nil
    }
}
