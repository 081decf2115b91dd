import IdentityProvider
import JOSE
import Primitives

/// The keys of a running server: a ring, and the directory where it is kept, if there is one.
struct ServerKeys: Sendable {
    let ring: KeyRing
    let algorithm: SignatureAlgorithm
    /// `nil`: the keys end with the process.
    let store: KeyStore?
    /// `nil`: those of tenants do.
    let tenants: TenantKeys?
    let clock: any WallClock

    /// Takes the keys from the directory, and makes the first one if none signs with the algorithm.
    static func open(
        directory: String?, tenants: String?, algorithm: SignatureAlgorithm, policy: KeyRingPolicy,
        clock: any WallClock
    ) throws(CommandFailure) -> ServerKeys {
        let store = directory.map(KeyStore.init)
        let tenants = tenants.map { TenantKeys($0) }
        do throws(KeyStoreError) {
            let ring: KeyRing
            if let store {
                ring = try store.update { state throws(KeyStoreError) in
                    let now = clock.now()
                    let ring = try makeRing(restoring: state, [algorithm], policy, at: now)
                    // What the server may do with the keys is kept before it does it.
                    state = ring.state(at: now)
                    return ring
                }
            } else {
                ring = try makeRing(restoring: KeyRing.State(), [algorithm], policy, at: clock.now())
            }
            return ServerKeys(ring: ring, algorithm: algorithm, store: store, tenants: tenants, clock: clock)
        } catch {
            throw error.failure
        }
    }

    /// A ring of these keys, and a new one for each algorithm that they cannot sign with.
    static func makeRing(
        restoring state: KeyRing.State, _ algorithms: Set<SignatureAlgorithm>, _ policy: KeyRingPolicy,
        at now: Timestamp
    ) throws(KeyStoreError) -> KeyRing {
        let ring = KeyRing(restoring: state, policy: policy, at: now)
        for algorithm in algorithms.sorted(by: { $0.name < $1.name }) where !ring.canSign(with: algorithm) {
            let key = try generate(algorithm)
            try KeyStoreError.rejecting { () throws(KeyRingError) in try ring.rotate(to: key, at: now) }
        }
        return ring
    }

    static func generate(_ algorithm: SignatureAlgorithm) throws(KeyStoreError) -> SigningKey {
        do throws(JWKError) {
            return try SigningKey.generate(algorithm)
        } catch {
            throw .rejected(reason: error.description)
        }
    }

    /// Takes up the keys that somebody has put into the directory, and the tokens that were signed with those that are
    /// here; keeps what has happened to these since.
    ///
    /// Like all that changes the directory it may wait for others who do, and for the disk.
    /// - Returns: the identifiers of the new ones.
    func reload() throws(KeyStoreError) -> [String] {
        guard let store else { return [] }
        return try store.update { kept throws(KeyStoreError) in
            try Self.takeUp(&kept, ring, at: clock.now())
        }
    }

    static func takeUp(
        _ kept: inout KeyRing.State, _ ring: KeyRing, at now: Timestamp
    ) throws(KeyStoreError) -> [String] {
        let added = try KeyStoreError.rejecting { () throws(KeyRingError) in try ring.adopt(kept, at: now) }
        kept = ring.state(at: now)
        return added
    }

    /// Makes a key that will sign once everybody can know it. It is kept before it is published.
    /// - Returns: its identifier.
    func rotate() throws(KeyStoreError) -> String {
        let key = try Self.generate(algorithm)
        guard let store else {
            try KeyStoreError.rejecting { () throws(KeyRingError) in
                try ring.publishAhead(key, at: clock.now())
            }
            return key.keyID
        }
        let (kept, now) = try store.update { kept throws(KeyStoreError) in
            let now = clock.now()
            _ = try Self.takeUp(&kept, ring, at: now)
            try KeyStoreError.rejecting { () throws(KeyRingError) in
                try kept.publishAhead(key, at: now, by: ring.policy)
            }
            kept.allowTokens(lasting: ring.policy.longestTokenLifetime)
            return (kept, now)
        }
        _ = try KeyStoreError.rejecting { () throws(KeyRingError) in try ring.adopt(kept, at: now) }
        return key.keyID
    }
}
