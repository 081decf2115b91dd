import JOSE
import Primitives
import Synchronization

/// The keys that sign tokens, and those that are published so that others can verify them.
///
/// Of each algorithm one key signs. A key that signs no more stays published until the last token that it signed has
/// expired for everybody, and then goes by itself: whoever looks first lets it happen, by the clock that was handed in,
/// in microseconds. Secrets of symmetric algorithms are never published.
///
/// The ring does no I/O. Keep `state(at:)` after making a ring and after each rotation, and restore from it. A clock
/// that is set back brings no key back.
package final class KeyRing: Sendable {
    package let policy: KeyRingPolicy
    private let contents: Mutex<Contents>

    private struct Contents {
        var state: State
        /// What follows from the state, made anew when keys come or go.
        var derived: Derived
    }

    private struct Derived: Sendable {
        let preparedKeys: [PreparedKey]
        let published: CacheableDocument
        let verifier: AccessTokenVerifier
        let nextChange: Timestamp?
    }

    /// Restores a ring. What is due by now happens before anybody looks.
    package init(restoring state: State, policy: KeyRingPolicy, at now: Timestamp) {
        var state = state
        state.catchUp(to: now, by: policy)
        state.allowTokens(lasting: policy.longestTokenLifetime)
        self.policy = policy
        contents = Mutex(Contents(state: state, derived: Self.derive(from: state, policy)))
    }

    /// What has to be kept.
    package func state(at now: Timestamp) -> State {
        contents.withLock { contents in
            catchUp(&contents, to: now)
            return contents.state
        }
    }

    /// Makes `key` the one that signs with its algorithm from now on.
    package func rotate(to key: SigningKey, at now: Timestamp) throws(KeyRingError) {
        try change { state throws(KeyRingError) in try state.rotate(to: key, at: now, by: policy) }
    }

    /// Publishes `key` now, and lets it sign once nobody can have an older set any more.
    package func publishAhead(_ key: SigningKey, at now: Timestamp) throws(KeyRingError) {
        try change { state throws(KeyRingError) in try state.publishAhead(key, at: now, by: policy) }
    }

    /// Takes over what others have done to the keys where they are kept.
    ///
    /// - Returns: the identifiers of the keys that are to sign and were not known.
    package func adopt(_ kept: State, at now: Timestamp) throws(KeyRingError) -> [String] {
        try change { state throws(KeyRingError) in try state.adopt(kept, at: now, by: policy) }
    }

    func change<Result>(
        _ body: (inout State) throws(KeyRingError) -> Result
    ) throws(KeyRingError) -> Result {
        try contents.withLock { contents throws(KeyRingError) in
            var state = contents.state
            let result = try body(&state)
            state.allowTokens(lasting: policy.longestTokenLifetime)
            contents = Contents(state: state, derived: Self.derive(from: state, policy))
            return result
        }
    }

    /// The key that signs with `algorithm`, for a token that expires at `expiry`.
    ///
    /// The expiry is noted before the token exists, under the same lock as rotation: a key that retires in between stays
    /// published for this token too.
    package func signingKey(
        for algorithm: SignatureAlgorithm, coveringTokensUntil expiry: Timestamp, at now: Timestamp
    ) throws(KeyRingError) -> PreparedKey {
        let key: PreparedKey? = contents.withLock { contents in
            catchUp(&contents, to: now)
            guard let index = contents.state.activeIndex(of: algorithm) else { return nil }
            contents.state.keys[index].cover(tokensUntil: expiry, by: policy)
            return contents.derived.preparedKeys[index]
        }
        guard let key else { throw .noActiveKey(algorithm) }
        return key
    }

    /// The published set (RFC 7517 section 5).
    package func published(at now: Timestamp) -> CacheableDocument {
        contents.withLock { contents in
            catchUp(&contents, to: now)
            return contents.derived.published
        }
    }

    /// What verifies the tokens that the ring signed.
    func verificationKeys(at now: Timestamp) -> VerificationKeySet { accessTokenVerifier(at: now).keys }

    /// What has verified access tokens with these keys, and will, until something is done to the ring.
    func accessTokenVerifier(at now: Timestamp) -> AccessTokenVerifier {
        contents.withLock { contents in
            catchUp(&contents, to: now)
            return contents.derived.verifier
        }
    }

    /// Whether some key signs with `algorithm`.
    package func canSign(with algorithm: SignatureAlgorithm) -> Bool {
        contents.withLock { $0.state.activeIndex(of: algorithm) != nil }
    }

    private func catchUp(_ contents: inout Contents, to now: Timestamp) {
        guard let due = contents.derived.nextChange, now >= due else { return }
        contents.state.advance(to: now, by: policy)
        contents.state.allowTokens(lasting: policy.longestTokenLifetime)
        contents.derived = Self.derive(from: contents.state, policy)
    }

    /// Those that sign come first, because simple clients take the first that fits.
    private static func derive(from state: State, _ policy: KeyRingPolicy) -> Derived {
        let published = state.keys.filter(\.isActive) + state.keys.filter { !$0.isActive }
        let set = JWKSet(published.compactMap(\.key.publicJWK))
        return Derived(
            preparedKeys: state.keys.map { PreparedKey($0.key) },
            published: CacheableDocument(json: set.json(.publicOnly), maximumAge: policy.cacheLifetime),
            verifier: AccessTokenVerifier(keys: VerificationKeySet(state.keys.map(\.key.verificationKey))),
            nextChange: state.nextChange)
    }
}
