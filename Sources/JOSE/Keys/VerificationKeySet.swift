import Primitives

/// The keys that somebody trusts, found by the `kid` of a header.
///
/// Built once per change of the keys; a lookup costs the same however many there are.
package struct VerificationKeySet: Sendable {
    package let keys: [VerificationKey]
    private let positionsByID: [ExactText: [Int]]
    private let positionsWithoutID: [Int]

    package init(_ keys: [VerificationKey]) {
        self.keys = keys
        var byID: [ExactText: [Int]] = [:]
        var without: [Int] = []
        for (position, key) in keys.enumerated() {
            if let keyID = key.keyID {
                byID[ExactText(keyID), default: []].append(position)
            } else {
                without.append(position)
            }
        }
        positionsByID = byID
        positionsWithoutID = without
    }

    /// The keys of a published set that can verify signatures; those for something else are left out.
    ///
    /// - Parameter algorithms: for keys that do not say which algorithm they are for, such as RSA keys without `alg`:
    ///   the first of these that fits the key.
    package init(_ set: JWKSet, algorithms: [SignatureAlgorithm] = []) {
        self.init(
            set.keys.compactMap { jwk in
                if let key = try? VerificationKey(jwk) { return key }
                for algorithm in algorithms {
                    if let key = try? VerificationKey(jwk, algorithm: algorithm) { return key }
                }
                return nil
            }
        )
    }

    /// The keys that may have made a signature. A header without `kid` may mean any key, a key without identifier may
    /// be meant by any header.
    func candidates(keyID: String?, algorithm: SignatureAlgorithm) -> [VerificationKey] {
        let fitting: [VerificationKey]
        if let keyID {
            let named = positionsByID[ExactText(keyID)] ?? []
            fitting = (named.isEmpty ? positionsWithoutID : named).map { keys[$0] }
        } else {
            fitting = keys
        }
        return fitting.filter { $0.algorithm == algorithm }
    }

    /// What to say when there is no candidate: that the key which the header names is bound to another algorithm, or
    /// that there is no such key.
    func reasonForNoCandidate(keyID: String?) -> JWSError {
        if let keyID, positionsByID[ExactText(keyID)] == nil, positionsWithoutID.isEmpty { return .noKey }
        return keys.isEmpty ? .noKey : .algorithmNotBoundToKey
    }
}
