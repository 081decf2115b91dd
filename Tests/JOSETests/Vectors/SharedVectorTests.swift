import Crypto
import Foundation
import JOSE
import Primitives
import TestSupport
import Testing

/// The vectors that others wrote, where they are beside the checkout.
@Suite(.enabled(if: Repository.sharedVectors != nil, "\(Repository.noSharedVectors)"))
struct SharedVectorTests {
    private static func folder(_ path: String) throws -> URL {
        try #require(Repository.sharedVectors).appending(path: "jose/\(path)")
    }

    private static func text(_ url: URL) throws -> String {
        try String(contentsOf: url, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// 3189 bare signatures: those that are valid verify, those that are invalid do not, whether it is the key that is
    /// refused or the signature. Valid ones are refused in two cases: Ed448 is not offered here, and RFC 7518 section
    /// 3.2 wants longer secrets.
    @Test func agreesWithWycheproof() throws {
        let lines = try Self.text(Self.folder("wycheproof-raw.jsonl")).split(separator: "\n")
        var keys: [String: Result<VerificationKey, any Error>] = [:]
        var counts = (valid: 0, invalid: 0, refusedKeys: 0)
        for line in lines {
            let row = try JSON(parsing: String(line))
            let expectation = try #require(row["expect"]?.string)
            guard expectation != "acceptable" else { continue }
            let algorithm = try #require(row["alg"]?.string.flatMap(SignatureAlgorithm.init(named:)))
            let description = (row["jwk"]?.text() ?? row["hmac"]?.text() ?? "") + algorithm.name
            let key =
                keys[description]
                ?? Result {
                    let jwk =
                        if let json = row["jwk"] { try JWK(json: json) } else {
                            JWK(.symmetric(Secret(try Self.bytes(row["hmac"]))))
                        }
                    return try VerificationKey(jwk, algorithm: algorithm)
                }
            keys[description] = key
            let message = try Self.bytes(row["msg"])
            let signature = try Self.bytes(row["sig"])
            if expectation == "valid", Self.isOutsideOurStandards(key) {
                counts.refusedKeys += 1
                continue
            }
            let isValid = (try? key.get().isValid(signature.span, for: message.span)) ?? false
            #expect(isValid == (expectation == "valid"), "\(row["id"]?.string ?? "?") with \(key)")
            if isValid { counts.valid += 1 } else { counts.invalid += 1 }
        }
        #expect(counts == (valid: 1167, invalid: 1991, refusedKeys: 26))
    }

    private static func isOutsideOurStandards(_ key: Result<VerificationKey, any Error>) -> Bool {
        guard case .failure(let error as JWKError) = key else { return false }
        return switch error {
        case .unsupportedCurve, .secretTooShort: true
        default: false
        }
    }

    private static func bytes(_ hex: JSON?) throws -> [UInt8] {
        let digits = try #require(hex?.string)
        return stride(from: 0, to: digits.utf8.count, by: 2).compactMap { offset in
            let start = digits.index(digits.startIndex, offsetBy: offset)
            return UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16)
        }
    }

    @Test func readsEveryKeyAndWritesItBack() throws {
        let files = try FileManager.default.contentsOfDirectory(at: Self.folder("rfc"), includingPropertiesForKeys: nil)
        var count = 0
        for file in files where file.pathExtension == "jwk" {
            // RFC 7517 appendix B has a certificate, and a key that is good for nothing else.
            let text = try Self.text(file)
            let json = try JSON(parsing: text)
            let key = try JWK(json: json)
            #expect(key.json(.includingPrivate) == json, "\(file.lastPathComponent)")
            count += 1
        }
        #expect(count >= 15)
    }

    @Test func readsEveryKeySet() throws {
        for name in ["rfc7515_A.6", "rfc7517_A.1", "rfc7517_A.2", "rfc7517_A.3", "rfc7520_4.8"] {
            let json = try JSON(parsing: Self.text(Self.folder("rfc/\(name).jwkset")))
            let set = try JWKSet(json: json)
            #expect(set.skipped.isEmpty)
            #expect(set.json(.includingPrivate) == json)
        }
    }

    /// Each object with the key, or the keys, of the same section.
    @Test func verifiesEveryObjectOfTheRFCs() throws {
        let files = try FileManager.default.contentsOfDirectory(at: Self.folder("rfc"), includingPropertiesForKeys: nil)
        var count = 0
        for file in files where ["jwsc", "jwsf", "jwsg"].contains(file.pathExtension) {
            let name = file.deletingPathExtension().lastPathComponent
            guard name != "rfc7515_A.5" else { continue }
            let keys = try Self.keys(of: name)
            let text = try Self.text(file)
            let detached = name == "rfc7520_4.5" ? try Self.detachedPayload() : nil
            let object =
                file.pathExtension == "jwsc"
                ? try UnverifiedJWS(compact: text, detachedPayload: detached)
                : try UnverifiedJWS(json: text, detachedPayload: detached)
            let verified = try object.verified(by: keys)
            #expect(!verified.payload.isEmpty)
            count += 1
        }
        #expect(count == 26)
    }

    private static func keys(of name: String) throws -> VerificationKeySet {
        let set = try folder("rfc/\(name).jwkset")
        let jwks =
            FileManager.default.fileExists(atPath: set.path())
            ? try JWKSet(parsing: text(set)) : JWKSet([try JWK(parsing: text(folder("rfc/\(name).jwk")))])
        let algorithms: [SignatureAlgorithm] = name == "rfc7520_4.2" ? [.ps384] : [.rs256, .hs256]
        return VerificationKeySet(jwks, algorithms: algorithms)
    }

    private static func detachedPayload() throws -> [UInt8] {
        let payload = try Data(contentsOf: folder("rfc/rfc7520_4.5.payl"))
        return [UInt8](payload)
    }

    /// RFC 7797 section 6 makes `crit` list `b64`; the example that the cookbook has for JSON alone does not.
    @Test func refusesTheCookbooksUnencodedPayloadThatIsNotCritical() throws {
        let example = try JSON(parsing: Self.text(Self.folder("cookbook/rfc7797/4.2.hmac-sha2_b64_false.json")))
        let object = try #require(example["output"]?["json_flat"])
        #expect(throws: JWSError.b64NotCritical) { try UnverifiedJWS(json: object.text()) }
    }

    @Test func verifiesTheCookbooksUnencodedPayload() throws {
        let example = try JSON(parsing: Self.text(Self.folder("cookbook/rfc7797/hmac-sha2_b64_false.json")))
        let key = try VerificationKey(JWK(json: try #require(example["input"]?["key"])))
        let output = try #require(example["output"])
        let payload = [UInt8](try #require(example["input"]?["payload"]?.string).utf8)
        #expect(try UnverifiedJWS(compact: #require(output["compact"]?.string)).verified(by: key).payload == payload)
        for form in ["json", "json_flat"] {
            let object = try UnverifiedJWS(json: try #require(output[form]).text())
            #expect(try object.verified(by: key).payload == payload)
        }
    }
}
