import JOSE
import Primitives
import TestSupport
import Testing

@Suite struct JWTSignerTests {
    private let key = TestKeys.key(.hs256)

    @Test func writesTheSameTokenFromAClosureAndFromAnObject() throws {
        let signer = JWTSigner(key: key, type: "at+jwt")
        let written = try signer.sign { claims in
            claims.member("sub", "ali\"ce")
            claims.member("exp", 5)
        }
        #expect(try signer.sign(["sub": "ali\"ce", "exp": 5]) == written)
        let segments = written.split(separator: ".").map(String.init)
        #expect(
            String(decoding: try Base64URL.decode(segments[0]), as: UTF8.self)
                == #"{"alg":"HS256","typ":"at+jwt","kid":"key-HS256"}"#)
        #expect(String(decoding: try Base64URL.decode(segments[1]), as: UTF8.self) == #"{"sub":"ali\"ce","exp":5}"#)
    }

    @Test func leavesTheTypeOut() throws {
        let token = try JWTSigner(key: key, type: nil).sign([:])
        #expect(try UnverifiedJWS(compact: token).header.type == nil)
    }

    /// Every length modulo three, and longer than what was reserved.
    @Test(arguments: [0, 1, 2, 3, 500, 5000])
    func signsClaimsOfAnyLength(_ length: Int) throws {
        let text = String(repeating: "x", count: length)
        let token = try JWTSigner(key: key, type: "JWT").sign { $0.member("x", text) }
        let policy = JWTPolicy(issuer: .unchecked, audience: .unchecked, requiredClaims: [])
        let moment = Timestamp(secondsSinceEpoch: 0)
        #expect(try policy.verify(token, keys: TestKeys.everything, at: moment).claims["x"] == .string(text))
    }

    @Test func escapesWhatStandsInItsHeader() throws {
        let named = try SigningKey(key.jwk, keyID: #"a"b\c"#)
        let token = try JWTSigner(key: named, type: #"x"y"#).sign([:])
        let header = try UnverifiedJWS(compact: token).header
        #expect(header.keyID == #"a"b\c"#)
        #expect(header.type == #"x"y"#)
    }

    /// One signer serves every thread.
    @Test(arguments: [SignatureAlgorithm.hs256, .es256, .edDSA, .rs256, .ps256])
    func signsFromManyTasksAtOnce(_ algorithm: SignatureAlgorithm) async throws {
        let signer = JWTSigner(key: TestKeys.key(algorithm), type: "JWT")
        let policy = JWTPolicy(issuer: .unchecked, audience: .unchecked, requiredClaims: [])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for number in 0..<20 {
                        let token = try signer.sign { $0.member("n", task * 100 + number) }
                        let verified = try policy.verify(
                            token, keys: TestKeys.everything, at: Timestamp(secondsSinceEpoch: 0))
                        #expect(verified.claims["n"]?.int64 == Int64(task * 100 + number))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    /// The algorithms whose signatures are made together, and no other.
    @Test(arguments: SignatureAlgorithm.allCases)
    func waitsForABatchOnlyWhereThatIsFaster(_ algorithm: SignatureAlgorithm) async throws {
        let signer = JWTSigner(key: TestKeys.key(algorithm), type: "JWT")
        let batches = CountedBatches()
        let token = try await signer.sign(in: batches) { $0.member("sub", "alice") }
        #expect(batches.count == (algorithm == .es256 || algorithm == .edDSA ? 1 : 0))
        let policy = JWTPolicy(issuer: .unchecked, audience: .unchecked, requiredClaims: [])
        let verified = try policy.verify(token, keys: TestKeys.everything, at: Timestamp(secondsSinceEpoch: 0))
        #expect(verified.claims.subject == "alice")
        // These two make the same signature each time.
        if algorithm == .edDSA || algorithm == .rs256 {
            #expect(try token == signer.sign { $0.member("sub", "alice") })
        }
    }
}
