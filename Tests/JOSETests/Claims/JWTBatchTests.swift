import JOSE
import Primitives
import Synchronization
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
        let batches = OneBatch(of: count)
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

/// Waits until so many have come, and does the work of all of them.
private final class OneBatch: Batching {
    private struct State {
        var works: [any BatchedWork] = []
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    private let count: Int
    private let state = Mutex(State())

    init(of count: Int) {
        self.count = count
    }

    func add(_ work: any BatchedWork, for waiter: UnsafeContinuation<Void, Never>) {
        let full: State? = state.withLock { state in
            state.works.append(work)
            state.waiters.append(waiter)
            return state.works.count == count ? state : nil
        }
        guard let full else { return }
        full.works.perform()
        for waiter in full.waiters { waiter.resume() }
    }
}
