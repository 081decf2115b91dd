import JOSE
import OAuth
import Primitives

/// Makes keys. Making an RSA key takes a tenth of a second of work, which must not hold up other requests, and a key that
/// is kept somewhere has to be written before it is used: both are the business of whoever runs the provider.
package protocol KeySupply: Sendable {
    /// A ring for a provider that is about to begin, with a key for each algorithm.
    func makeRing(for algorithms: Set<SignatureAlgorithm>, at now: Timestamp) async throws(KeySupplyError) -> KeyRing

    /// The ring of a tenant that is about to begin: that of an earlier run, where keys are kept.
    func ring(
        of tenant: TenantName, for algorithms: Set<SignatureAlgorithm>, at now: Timestamp
    ) async throws(KeySupplyError) -> KeyRing

    /// Forgets the keys of a tenant that is no more: another of the name has others.
    func forgetKeys(of tenant: TenantName) async throws(KeySupplyError)

    /// Adds a key for an algorithm that the ring cannot sign with.
    func addKey(
        for algorithm: SignatureAlgorithm, to ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError)

    /// Makes a new key for an algorithm, which signs from now on.
    func rotateKey(
        for algorithm: SignatureAlgorithm, of ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError)

    /// Takes a key away at once, wherever it is kept, and makes another one if no other signs in its place; `false`: there
    /// is no such key.
    func withdrawKey(
        _ keyID: String, of ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) -> Bool
}

/// Of one that keeps no keys of tenants.
extension KeySupply {
    package func ring(
        of _: TenantName, for algorithms: Set<SignatureAlgorithm>, at now: Timestamp
    ) async throws(KeySupplyError) -> KeyRing {
        try await makeRing(for: algorithms, at: now)
    }

    package func forgetKeys(of _: TenantName) async throws(KeySupplyError) {}
}

/// Why there is no key.
package struct KeySupplyError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String
    /// Whether the keys that there are do not allow it. Otherwise one cannot be made or kept at this moment: a disk is full.
    package let isRefusal: Bool

    package init(_ description: String, isRefusal: Bool = false) {
        self.description = description
        self.isRefusal = isRefusal
    }

    /// What was asked for may be asked for again.
    ///
    /// - Parameter consequence: what there is not, because there is no key.
    func unavailable(_ consequence: String) -> OAuthError {
        OAuthError(
            .temporarilyUnavailable, "\(consequence): its keys cannot be made or kept now. Try again in a moment",
            cause: description)
    }
}

/// Makes keys where it is called, and keeps them nowhere.
package struct ImmediateKeySupply: KeySupply {
    private let policy: KeyRingPolicy

    package init(policy: KeyRingPolicy) {
        self.policy = policy
    }

    package func makeRing(
        for algorithms: Set<SignatureAlgorithm>, at now: Timestamp
    ) async throws(KeySupplyError) -> KeyRing {
        let ring = KeyRing(restoring: KeyRing.State(), policy: policy, at: now)
        for algorithm in algorithms.sorted(by: { $0.name < $1.name }) {
            try await addKey(for: algorithm, to: ring, at: now)
        }
        return ring
    }

    package func addKey(
        for algorithm: SignatureAlgorithm, to ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) {
        do {
            try ring.rotate(to: .generate(algorithm), at: now)
        } catch {
            throw KeySupplyError("\(error)", isRefusal: error is KeyRingError)
        }
    }

    package func rotateKey(
        for algorithm: SignatureAlgorithm, of ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) {
        try await addKey(for: algorithm, to: ring, at: now)
    }

    package func withdrawKey(
        _ keyID: String, of ring: KeyRing, at now: Timestamp
    ) async throws(KeySupplyError) -> Bool {
        do {
            let successor = try ring.algorithm(ofLoneKey: keyID, at: now).map { try SigningKey.generate($0) }
            try ring.withdraw(keyID, succeededBy: successor, at: now)
            return true
        } catch let error as KeyRingError where error == .unknownKeyID {
            return false
        } catch {
            throw KeySupplyError("\(error)", isRefusal: error is KeyRingError)
        }
    }
}
