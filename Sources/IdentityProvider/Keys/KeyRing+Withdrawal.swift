import JOSE
import Primitives

/// Keys that nobody is to trust any more.
extension KeyRing.State {
    /// Takes a key away at once, whatever it has signed: it may have come into the wrong hands. Where it signs, the key that
    /// was to be next takes over, and where there is none `successor` does. It is not taken up again from others.
    package mutating func withdraw(
        _ keyID: String, succeededBy successor: SigningKey?, at now: Timestamp, by policy: KeyRingPolicy
    ) throws(KeyRingError) {
        advance(to: now, by: policy)
        guard let index = keys.firstIndex(where: { sameText($0.key.keyID, keyID) }) else { throw .unknownKeyID }
        let former = keys.remove(at: index)
        withdrawnKeyIDs = withdrawnKeyIDs.suffix(Self.maximumWithdrawnCount - 1) + [former.key.keyID]
        guard former.isActive else { return }
        let algorithm = former.key.algorithm
        if let next = keys.firstIndex(where: { $0.isNext && $0.key.algorithm == algorithm }) {
            keys[next].role = .next(activeFrom: now)
            advance(to: now, by: policy)
        } else {
            guard let successor, successor.algorithm == algorithm else { throw .noActiveKey(algorithm) }
            try add(
                KeyRing.Entry(key: successor, created: now, role: .next(activeFrom: now)), at: now, by: policy)
        }
    }
}

extension KeyRing {
    /// Takes a key away at once: it is published no more, and what it signed is no good.
    package func withdraw(
        _ keyID: String, succeededBy successor: SigningKey?, at now: Timestamp
    ) throws(KeyRingError) {
        try change { state throws(KeyRingError) in
            try state.withdraw(keyID, succeededBy: successor, at: now, by: policy)
        }
    }

    /// The algorithm of a key that signs and that no other is there to follow.
    package func algorithm(ofLoneKey keyID: String, at now: Timestamp) -> SignatureAlgorithm? {
        let keys = state(at: now).keys
        guard let entry = keys.first(where: { sameText($0.key.keyID, keyID) }), entry.isActive else { return nil }
        let algorithm = entry.key.algorithm
        return keys.contains { $0.isNext && $0.key.algorithm == algorithm } ? nil : algorithm
    }
}
