import IdentityProvider
import JOSE
import Primitives

/// A supply of keys with a gate before each ring.
struct GatedKeySupply: KeySupply {
    let gate = FamilyGate()
    private let supply = ImmediateKeySupply(policy: KeyRingPolicy(longestTokenLifetime: .seconds(300)))

    func makeRing(
        for algorithms: Set<SignatureAlgorithm>, at now: Timestamp
    ) async throws(KeySupplyError) -> KeyRing {
        await gate.pass()
        return try await supply.makeRing(for: algorithms, at: now)
    }

    func addKey(
        for algorithm: SignatureAlgorithm, to ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) {
        try await supply.addKey(for: algorithm, to: ring, at: now)
    }

    func rotateKey(
        for algorithm: SignatureAlgorithm, of ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) {
        try await supply.rotateKey(for: algorithm, of: ring, at: now)
    }

    func withdrawKey(
        _ keyID: String, of ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) -> Bool {
        return try await supply.withdrawKey(keyID, of: ring, at: now)
    }
}
