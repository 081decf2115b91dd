import JOSE
import Primitives
import TestSupport
import Testing

/// Tokens that wait for each other's signatures.
@Suite(.timeLimit(.minutes(2))) struct JWTBatchTests {
    private let policy = JWTPolicy(issuer: .unchecked, audience: .unchecked, requiredClaims: [])

    /// Of several keys and with several headers, so that a token could get the signature of another, or its header.
    @Test func givesEachTokenItsOwnSignature() async throws {
        let signers = try [
            JWTSigner(key: TestKeys.key(.es256), type: "at+jwt"), JWTSigner(key: TestKeys.key(.es256), type: "JWT"),
            JWTSigner(key: SigningKey.generate(.es256, keyID: "another"), type: "JWT"),
            JWTSigner(key: TestKeys.key(.edDSA), type: "JWT"),
        ]
        let keys = VerificationKeySet(signers.map(\.key.verificationKey))
        let count = 40
        let batches = FullBatches(of: count)
        let tokens = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for number in 0..<count {
                group.addTask {
                    let signer = signers[number % signers.count]
                    return (number, try await signer.sign(in: batches) { $0.member("n", number) })
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(tokens.count == count)
        // Two headers have one key, and nothing is gained with EdDSA.
        #expect(batches.sizes == [count])
        #expect(batches.tools == (different: 2, none: count / 4))
        for (number, token) in tokens {
            let signer = signers[number % signers.count]
            let verified = try policy.verify(token, keys: keys, at: Timestamp(secondsSinceEpoch: 0))
            #expect(verified.claims["n"]?.int64 == Int64(number))
            let header = try UnverifiedJWS(compact: token).header
            #expect(header.keyID == signer.key.keyID)
            #expect(header.type == (number % signers.count == 0 ? "at+jwt" : "JWT"))
        }
    }
}
