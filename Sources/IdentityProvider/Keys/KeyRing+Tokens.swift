import JOSE
import Primitives

/// What a ring knows, and has to assume, of the tokens that its keys signed: until the last of them has expired, their
/// key stays published.
extension KeyRing.State {
    /// Remembers a token that the key of this identifier signed somewhere else. The key stays published for it, even if
    /// it signs no more. Nothing follows from it for other tokens.
    package mutating func noteToken(
        signedBy keyID: String, expiring expiry: Timestamp, by policy: KeyRingPolicy
    ) throws(KeyRingError) {
        guard let index = index(of: keyID) else { throw .unknownKeyID }
        keys[index].cover(tokensUntil: expiry, by: policy)
    }

    /// Brings keys that come from where they were kept up to now. While they were there, a server may have signed with
    /// them: each is assumed to have signed as long as it could, as late as it could.
    package mutating func catchUp(to now: Timestamp, by policy: KeyRingPolicy) {
        for index in keys.indices where keys[index].longestLifetime > .zero {
            guard let moment = lastMomentOfSigning(index, before: now) else { continue }
            keys[index].cover(tokensUntil: moment + keys[index].longestLifetime, by: policy)
        }
        advance(to: now, by: policy)
    }

    private func lastMomentOfSigning(_ index: Int, before now: Timestamp) -> Timestamp? {
        switch keys[index].role {
        case .retiring:
            // Somebody retired it whom the server need not have heard yet.
            return now
        case .next(let activeFrom):
            return activeFrom <= now ? now : nil
        case .active:
            let algorithm = keys[index].key.algorithm
            for next in keys where next.key.algorithm == algorithm {
                if case .next(let activeFrom) = next.role { return min(activeFrom, now) }
            }
            return now
        }
    }

    /// Writes down what the one who signs may do from now on: sign tokens of this lifetime, with keys that have not
    /// retired. He knows what they signed before, so that nothing else is to be assumed of them. Whoever keeps the state
    /// before he does it keeps all that a restart needs to know.
    package mutating func allowTokens(lasting lifetime: Duration) {
        for index in keys.indices { keys[index].longestLifetime = keys[index].isRetiring ? .zero : lifetime }
    }
}
