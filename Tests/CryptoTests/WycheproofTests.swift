import Crypto
import Foundation
import Primitives
import TestSupport
import Testing

/// The signature checks of C2SP/wycheproof, as far as the curve or key is one that is offered here.
@Suite(.enabled(if: Repository.sharedVectors != nil, "\(Repository.noSharedVectors)"))
struct WycheproofTests {
    struct Row: Decodable {
        struct Key: Decodable {
            let kty: String
            let crv: String?
            let n: String?
            let e: String?
            let x: String?
            let y: String?
        }
        let id: String
        let alg: String
        let jwk: Key?
        let hmac: String?
        let msg: String
        let sig: String
        let expect: String
    }

    static let algorithms: [(name: String, scheme: SignatureScheme?, hash: HashFunction, rows: Int)] = [
        ("HS256", nil, .sha256, 87), ("HS384", nil, .sha384, 87), ("HS512", nil, .sha512, 87),
        ("RS256", .rsaPKCS1(.sha256), .sha256, 516), ("RS384", .rsaPKCS1(.sha384), .sha384, 257),
        ("RS512", .rsaPKCS1(.sha512), .sha512, 516),
        ("PS256", .rsaPSS(.sha256), .sha256, 216), ("PS384", .rsaPSS(.sha384), .sha384, 141),
        ("PS512", .rsaPSS(.sha512), .sha512, 179),
        ("ES256", .ecdsa(.p256, .sha256), .sha256, 262), ("ES384", .ecdsa(.p384, .sha384), .sha384, 280),
        ("ES512", .ecdsa(.p521, .sha512), .sha512, 318),
        ("EdDSA", .ed25519, .sha512, 151),
    ]

    static let rows: [Row] = {
        guard let folder = Repository.sharedVectors,
            let text = try? String(contentsOf: folder.appending(path: "jose/wycheproof-raw.jsonl"), encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    }()

    static func bytes(_ text: String?) throws -> [UInt8] {
        let standard = try #require(text).replacing("-", with: "+").replacing("_", with: "/")
        let padded = standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
        return Array(try #require(Data(base64Encoded: padded)))
    }

    static func publicKey(_ key: Row.Key) throws -> PublicKey? {
        switch (key.kty, key.crv) {
        case ("RSA", _): try PublicKey(rsa: RSAPublicComponents(modulus: bytes(key.n), exponent: bytes(key.e)))
        case ("EC", "P-256"): try PublicKey(ec: ECPublicComponents(curve: .p256, x: bytes(key.x), y: bytes(key.y)))
        case ("EC", "P-384"): try PublicKey(ec: ECPublicComponents(curve: .p384, x: bytes(key.x), y: bytes(key.y)))
        case ("EC", "P-521"): try PublicKey(ec: ECPublicComponents(curve: .p521, x: bytes(key.x), y: bytes(key.y)))
        case ("OKP", "Ed25519"): try PublicKey(ed25519: bytes(key.x))
        default: nil
        }
    }

    @Test(arguments: algorithms.indices)
    func acceptsWhatIsValidAndRefusesWhatIsNot(index: Int) throws {
        let algorithm = Self.algorithms[index]
        var checked = 0
        for row in Self.rows where row.alg == algorithm.name && row.expect != "acceptable" {
            let accepted: Bool
            if let scheme = algorithm.scheme {
                guard let key = try Self.publicKey(#require(row.jwk)) else { continue }
                accepted = try Verifier(key, scheme: scheme).isValid(hex(row.sig), for: hex(row.msg))
            } else {
                let key = Secret(hex(try #require(row.hmac)))
                accepted = HMAC(algorithm.hash, key: key).isValid(hex(row.sig), for: hex(row.msg))
            }
            #expect(accepted == (row.expect == "valid"), "\(row.id)")
            checked += 1
        }
        #expect(checked == algorithm.rows)
    }
}
