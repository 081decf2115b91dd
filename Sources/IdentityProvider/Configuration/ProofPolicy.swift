import Primitives

/// What proofs of possession must be like (RFC 9449).
package struct ProofPolicy: Sendable, Hashable {
    /// How far `iat` may be from now, either way.
    package var leeway = Duration.seconds(60)
    /// RFC 9449 section 8: whether proofs must carry a nonce of ours.
    package var nonce = Nonce.optional
    /// How long a nonce is good.
    package var nonceLifetime = Duration.seconds(300)

    package init() {}

    /// Whether a proof carries something of ours, which shows that it is fresh.
    package enum Nonce: String, Sendable, CaseIterable {
        /// None is asked for, and one that is there is checked.
        case optional
        case required
    }
}
