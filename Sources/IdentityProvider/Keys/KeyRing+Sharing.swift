import JOSE
import Primitives

/// Keys that a server signs with, and that others may change where they are kept.
extension KeyRing.State {
    /// As `rotate`, by somebody who is not the server that signs, and has just taken the keys from where they are kept.
    ///
    /// The server goes on with the keys that it knows until it is told. They stay published for what it may sign: the
    /// one that signs, and the one that is to be next there.
    package mutating func rotateBeside(
        to key: SigningKey, at now: Timestamp, by policy: KeyRingPolicy
    ) throws(KeyRingError) {
        catchUp(to: now, by: policy)
        for index in keys.indices where keys[index].key.algorithm == key.algorithm {
            guard case .next(let activeFrom) = keys[index].role, keys[index].longestLifetime > .zero else { continue }
            keys[index].role = .retiring(publishedUntil: activeFrom)
            keys[index].cover(tokensUntil: activeFrom + keys[index].longestLifetime, by: policy)
        }
        try rotate(to: key, at: now, by: policy)
    }

    /// Takes over what others have done to the keys where they are kept: tokens that they signed, keys that they made,
    /// keys that came and went there before anybody here saw them.
    ///
    /// - Returns: the identifiers of the keys that are to sign and were not known.
    package mutating func adopt(
        _ kept: Self, at now: Timestamp, by policy: KeyRingPolicy
    ) throws(KeyRingError) -> [String] {
        advance(to: now, by: policy)
        var kept = kept
        kept.advance(to: now, by: policy)
        kept.keys.removeAll { entry in withdrawnKeyIDs.contains { sameText($0, entry.key.keyID) } }
        // First of all, the tokens: a key that is about to retire stays for them.
        for other in kept.keys {
            guard let index = index(of: other.key.keyID) else { continue }
            keys[index].created = min(keys[index].created, other.created)
            if let expiry = other.latestExpiry { keys[index].cover(tokensUntil: expiry, by: policy) }
        }
        var added: [String] = []
        // A key that is to be next comes after the one that it is to follow.
        for other in kept.keys.filter(\.isActive) + kept.keys.filter({ !$0.isActive })
        where index(of: other.key.keyID) == nil {
            var entry = other
            switch other.role {
            case .retiring:
                guard keys.count < Self.maximumCount else { throw .tooManyKeys(limit: Self.maximumCount) }
                keys.append(entry)
                continue
            case .active:
                entry.role = .next(activeFrom: now)
            case .next(let activeFrom):
                let isFirst = activeIndex(of: entry.key.algorithm) == nil
                entry.role = .next(activeFrom: isFirst ? now : max(activeFrom, now + policy.cacheLifetime))
            }
            try add(entry, at: now, by: policy)
            added.append(entry.key.keyID)
        }
        return added
    }
}
