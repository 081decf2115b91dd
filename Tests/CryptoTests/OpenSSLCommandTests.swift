import Crypto
import Foundation
import Primitives
import TestSupport
import Testing

/// What is made here is understood by the `openssl` command, and the other way round.
@Suite(.enabled(if: OpenSSLCommand.path != nil, "\(OpenSSLCommand.isMissing)"))
struct OpenSSLCommandTests {
    static let message = Array("The quick brown fox jumps over the lazy dog".utf8)
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: directory.url.appending(path: name))
        return directory.path(name)
    }

    /// The options by which `openssl pkeyutl` is told the scheme.
    func options(_ scheme: SignatureScheme) -> [String] {
        func digest(_ hash: HashFunction) -> [String] { ["-digest", "\(hash)"] }
        return switch scheme {
        case .rsaPKCS1(let hash): ["-rawin"] + digest(hash)
        case .rsaPSS(let hash):
            ["-rawin"] + digest(hash) + [
                "-pkeyopt", "rsa_padding_mode:pss", "-pkeyopt", "rsa_pss_saltlen:\(hash.byteCount)",
                "-pkeyopt", "rsa_mgf1_md:\(hash)",
            ]
        case .ecdsa(_, let hash): ["-rawin"] + digest(hash)
        case .ed25519: ["-rawin"]
        }
    }

    /// The command speaks DER where tokens carry r and s.
    func der(_ signature: [UInt8], _ scheme: SignatureScheme) -> [UInt8] {
        guard case .ecdsa = scheme else { return signature }
        func integer(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
            let digits = Array(bytes.drop { $0 == 0 })
            let signed = digits[0] >= 0x80 ? [0] + digits : digits
            return [2, UInt8(signed.count)] + signed
        }
        let content = integer(signature.prefix(signature.count / 2)) + integer(signature.suffix(signature.count / 2))
        return [0x30] + (content.count >= 0x80 ? [0x81] : []) + [UInt8(content.count)] + content
    }

    func halves(_ der: [UInt8], _ scheme: SignatureScheme) -> [UInt8] {
        guard case .ecdsa(let curve, _) = scheme else { return der }
        var rest = der[(der[1] == 0x81 ? 3 : 2)...]
        var signature: [UInt8] = []
        for _ in 0..<2 {
            let length = Int(rest[rest.startIndex + 1])
            let digits = rest.dropFirst(2).prefix(length).drop { $0 == 0 }
            signature += [UInt8](repeating: 0, count: curve.fieldByteCount - digits.count) + digits
            rest = rest.dropFirst(2 + length)
        }
        return signature
    }

    @Test(arguments: SignatureScheme.all)
    func theCommandVerifiesOurSignatures(scheme: SignatureScheme) async throws {
        let signature = try Signer(Fixture.privateKey(scheme.keyName), scheme: scheme).sign(Self.message)
        let key = Repository.fixture("keys/\(scheme.keyName).spki.pem").path()
        func verify(_ signature: [UInt8]) async throws -> Int32 {
            try await OpenSSLCommand.run(
                [
                    "pkeyutl", "-verify", "-pubin", "-inkey", key, "-in", write("message", Self.message),
                    "-sigfile", write("signature", der(signature, scheme)),
                ] + options(scheme)
            ).exitCode
        }
        #expect(try await verify(signature) == 0)
        var changed = signature
        changed[10] ^= 1
        #expect(try await verify(changed) != 0)
    }

    @Test(arguments: SignatureScheme.all)
    func weVerifyTheSignaturesOfTheCommand(scheme: SignatureScheme) async throws {
        let result = try await OpenSSLCommand.run(
            [
                "pkeyutl", "-sign", "-inkey", Repository.fixture("keys/\(scheme.keyName).pkcs8.pem").path(),
                "-in", write("message", Self.message),
            ] + options(scheme))
        #expect(result.exitCode == 0)
        let signature = halves(result.outputBytes, scheme)
        let verifier = try Verifier(Fixture.privateKey(scheme.keyName).publicKey, scheme: scheme)
        #expect(verifier.isValid(signature, for: Self.message))
        #expect(!verifier.isValid(signature, for: Self.message + [0]))
    }

    /// RFC 7518 section 3.5: the salt is exactly as long as the hash.
    @Test(arguments: [0, 20, 31, 33, 64, 222])
    func refusesASaltOfAnotherLength(length: Int) async throws {
        let result = try await OpenSSLCommand.run([
            "pkeyutl", "-sign", "-inkey", Repository.fixture("keys/rsa-2048.pkcs8.pem").path(),
            "-in", write("message", Self.message), "-rawin", "-digest", "sha256",
            "-pkeyopt", "rsa_padding_mode:pss", "-pkeyopt", "rsa_pss_saltlen:\(length)",
        ])
        #expect(result.exitCode == 0)
        #expect(result.outputBytes.count == 256)
        let verifier = try Verifier(Fixture.privateKey("rsa-2048").publicKey, scheme: .rsaPSS(.sha256))
        #expect(!verifier.isValid(result.outputBytes, for: Self.message))
    }

    /// RFC 7518 section 3.5: MGF1 uses the same hash as the message.
    @Test(arguments: ["sha1", "sha384", "sha512"])
    func refusesAnotherHashInTheMask(hash: String) async throws {
        let result = try await OpenSSLCommand.run([
            "pkeyutl", "-sign", "-inkey", Repository.fixture("keys/rsa-2048.pkcs8.pem").path(),
            "-in", write("message", Self.message), "-rawin", "-digest", "sha256",
            "-pkeyopt", "rsa_padding_mode:pss", "-pkeyopt", "rsa_pss_saltlen:32", "-pkeyopt", "rsa_mgf1_md:\(hash)",
        ])
        #expect(result.exitCode == 0)
        let verifier = try Verifier(Fixture.privateKey("rsa-2048").publicKey, scheme: .rsaPSS(.sha256))
        #expect(!verifier.isValid(result.outputBytes, for: Self.message))
    }

    @Test(arguments: [KeyKind.rsa(bits: 2048), .ec(.p256), .ec(.p384), .ec(.p521), .ed25519])
    func theCommandReadsOurKeys(kind: KeyKind) async throws {
        let key = try PrivateKey.generate(kind)
        for format in PrivateKey.PEMFormat.allCases {
            guard let pem = try? key.pem(format) else { continue }
            let path = try write("key.pem", pem.withBytes { Array($0) })
            #expect(try await OpenSSLCommand.run(["pkey", "-in", path, "-check", "-noout"]).exitCode == 0)
            let result = try await OpenSSLCommand.run(["pkey", "-in", path, "-pubout"])
            #expect(result.output == (try key.publicKey.pem()))
        }
    }

    @Test(arguments: [
        ["RSA", "-pkeyopt", "rsa_keygen_bits:2048"], ["RSA", "-pkeyopt", "rsa_keygen_pubexp:3"],
        ["EC", "-pkeyopt", "ec_paramgen_curve:P-256"], ["EC", "-pkeyopt", "ec_paramgen_curve:P-384"],
        ["EC", "-pkeyopt", "ec_paramgen_curve:P-521"], ["ED25519"],
    ])
    func weReadTheKeysOfTheCommand(arguments: [String]) async throws {
        let path = directory.path("key.pem")
        #expect(try await OpenSSLCommand.run(["genpkey", "-out", path, "-algorithm"] + arguments).exitCode == 0)
        let key = try PrivateKey(pem: String(contentsOfFile: path, encoding: .utf8))
        let text = try await OpenSSLCommand.run(["pkey", "-in", path, "-pubout"]).outputBytes
        #expect(try PublicKey(pem: text.span) == key.publicKey)
    }
}
