import IdentityProvider
import JOSE
import Primitives
import Synchronization

/// A supply of keys that can be told to fail.
final class FailingKeySupply: KeySupply {
    let fails = Atomic<Bool>(false)
    private let supply = ImmediateKeySupply(policy: KeyRingPolicy(longestTokenLifetime: .seconds(300)))

    func makeRing(
        for algorithms: Set<SignatureAlgorithm>, at now: Timestamp
    ) async throws(KeySupplyError) -> KeyRing {
        try check()
        return try await supply.makeRing(for: algorithms, at: now)
    }

    func addKey(
        for algorithm: SignatureAlgorithm, to ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) {
        try check()
        try await supply.addKey(for: algorithm, to: ring, at: now)
    }

    func rotateKey(
        for algorithm: SignatureAlgorithm, of ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) {
        try check()
        try await supply.rotateKey(for: algorithm, of: ring, at: now)
    }

    func withdrawKey(
        _ keyID: String, of ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) -> Bool {
        try check()
        return try await supply.withdrawKey(keyID, of: ring, at: now)
    }

    private func check() throws(KeySupplyError) {
        guard !fails.load(ordering: .acquiring) else { throw KeySupplyError("no keys today") }
    }
}
