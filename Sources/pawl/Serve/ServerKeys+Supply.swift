import IdentityProvider
import JOSE
import Networking
import Primitives

/// Makes keys away from the loops that answer requests, and keeps those of the provider at the root where its others are,
/// and those of tenants where what happens is kept.
extension ServerKeys: KeySupply {
    func makeRing(
        for algorithms: Set<SignatureAlgorithm>, at now: Timestamp
    ) async throws(KeySupplyError) -> KeyRing {
        let policy = ring.policy
        return try await Self.supplying { () throws(KeyStoreError) in
            try Self.makeRing(restoring: KeyRing.State(), algorithms, policy, at: now)
        }
    }

    func ring(
        of tenant: TenantName, for algorithms: Set<SignatureAlgorithm>, at now: Timestamp
    ) async throws(KeySupplyError) -> KeyRing {
        guard let tenants else { return try await makeRing(for: algorithms, at: now) }
        let policy = ring.policy
        return try await Self.supplying { () throws(KeyStoreError) in
            try tenants.ring(of: tenant, for: algorithms, by: policy, at: now)
        }
    }

    func forgetKeys(of tenant: TenantName) async throws(KeySupplyError) {
        guard let tenants else { return }
        try await Self.supplying { () throws(KeyStoreError) in try tenants.forget(tenant) }
    }

    func addKey(
        for algorithm: SignatureAlgorithm, to ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) {
        try await addKey(for: algorithm, to: ring, at: now, evenBesideAnother: false)
    }

    func rotateKey(
        for algorithm: SignatureAlgorithm, of ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) {
        try await addKey(for: algorithm, to: ring, at: now, evenBesideAnother: true)
    }

    private func addKey(
        for algorithm: SignatureAlgorithm, to ring: KeyRing, at now: Timestamp, evenBesideAnother: Bool
    ) async throws(KeySupplyError) {
        let store = keyStore(of: ring)
        try await Self.supplying { () throws(KeyStoreError) in
            let key = try Self.generate(algorithm)
            guard let store else {
                return try KeyStoreError.rejecting { () throws(KeyRingError) in try ring.rotate(to: key, at: now) }
            }
            let kept = try store.update { kept throws(KeyStoreError) in
                _ = try Self.takeUp(&kept, ring, at: now)
                try KeyStoreError.rejecting { () throws(KeyRingError) in
                    // Another process may have made one meanwhile.
                    guard evenBesideAnother || kept.activeIndex(of: algorithm) == nil else { return }
                    try kept.rotate(to: key, at: now, by: ring.policy)
                }
                kept.allowTokens(lasting: ring.policy.longestTokenLifetime)
                return kept
            }
            _ = try KeyStoreError.rejecting { () throws(KeyRingError) in try ring.adopt(kept, at: now) }
        }
    }

    /// Where the keys of a ring are kept; `nil`: they end with the process.
    private func keyStore(of ring: KeyRing) -> KeyStore? {
        ring === self.ring ? store : tenants?.store(of: ring)
    }

    func withdrawKey(
        _ keyID: String, of ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) -> Bool {
        let store = keyStore(of: ring)
        return try await Self.supplying { () throws(KeyStoreError) in
            guard let store else { return try Self.withdraw(keyID, of: ring, at: now) }
            return try store.update { kept throws(KeyStoreError) in
                // What others have put there is known before, so that what is written is all that there is.
                _ = try Self.takeUp(&kept, ring, at: now)
                let isThere = try Self.withdraw(keyID, of: ring, at: now)
                kept = ring.state(at: now)
                return isThere
            }
        }
    }

    private static func withdraw(
        _ keyID: String, of ring: KeyRing, at now: Timestamp
    ) throws(KeyStoreError) -> Bool {
        let known = ring.state(at: now).keys
        guard known.contains(where: { sameText($0.key.keyID, keyID) }) else { return false }
        var successor: SigningKey?
        if let algorithm = ring.algorithm(ofLoneKey: keyID, at: now) { successor = try generate(algorithm) }
        try KeyStoreError.rejecting { () throws(KeyRingError) in
            try ring.withdraw(keyID, succeededBy: successor, at: now)
        }
        return true
    }

    private static func supplying<Result: Sendable>(
        _ body: @escaping @Sendable () throws(KeyStoreError) -> Result
    ) async throws(KeySupplyError) -> Result {
        do throws(KeyStoreError) {
            return try await BlockingWork.run(body)
        } catch {
            if case .rejected = error { throw KeySupplyError(error.failure.message, isRefusal: true) }
            throw KeySupplyError(error.failure.message)
        }
    }
}
