import Crypto
import Primitives
import Testing

/// One signer, one verifier, one HMAC key, used by many tasks at once.
@Suite struct ConcurrencyTests {
    static let tasks = 8

    @Test(arguments: SignatureScheme.all)
    func manyTasksShareASignerAndAVerifier(scheme: SignatureScheme) async throws {
        let (signer, verifier) = try SignatureTests.pair(scheme)
        let rounds = scheme.keyName.hasPrefix("rsa") ? 20 : 60
        let faults = await withTaskGroup(of: Int.self) { group in
            for task in 0..<Self.tasks {
                group.addTask {
                    var faults = 0
                    for round in 0..<rounds {
                        let message = Array("task \(task), round \(round)".utf8)
                        guard let signature = try? signer.sign(message) else {
                            faults += 1
                            continue
                        }
                        if !verifier.isValid(signature, for: message) { faults += 1 }
                        if verifier.isValid(signature, for: message + [0]) { faults += 1 }
                    }
                    return faults
                }
            }
            return await group.reduce(0, +)
        }
        #expect(faults == 0)
    }

    @Test(arguments: HashFunction.allCases)
    func manyTasksShareAnHMACKey(hash: HashFunction) async {
        let hmac = HMAC(hash, key: Secret(utf8: "a key that many use at once"))
        let expected = (0..<64).map { hmac.authenticate(Array("message \($0)".utf8).span) }
        let faults = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<Self.tasks {
                group.addTask {
                    var faults = 0
                    for round in 0..<20_000 {
                        let code = hmac.authenticate(Array("message \(round % 64)".utf8).span)
                        if code != expected[round % 64] { faults += 1 }
                    }
                    return faults
                }
            }
            return await group.reduce(0, +)
        }
        #expect(faults == 0)
    }
}
