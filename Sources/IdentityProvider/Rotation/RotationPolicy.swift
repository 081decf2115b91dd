import Primitives

/// What becomes of a refresh token that is presented. A value without clock, store or HTTP: whoever has a family asks.
package enum RotationPolicy: String, Sendable, CaseIterable {
    /// Each is good once; one that was spent ends its family (RFC 9700 section 4.14.2).
    case strict
    /// Each stays good.
    case reuse

    /// Judges the refresh token with the number `node` of a family, and notes in the family what follows.
    ///
    /// A number that was never given cannot carry a valid code, unless the store has lost what it acknowledged; it is
    /// refused and nothing is ended.
    package func judge(_ family: inout Family, presenting node: UInt32, at now: Timestamp) -> Verdict {
        guard family.ended == nil else { return .refused(.ended) }
        if let expires = family.terms.expires, now >= expires { return .refused(.expired) }
        guard node >= 1, node <= family.rotation.current else { return .refused(.unknown) }
        switch self {
        case .reuse:
            family.rotation.lastUsedAt = now
            return .granted(node: node)
        case .strict:
            guard node == family.rotation.current else {
                family.end(.refreshTokenReused, at: now)
                return .refused(.reused)
            }
            family.rotation.current += 1
            family.rotation.rotatedAt = now
            family.rotation.lastUsedAt = now
            return .granted(node: family.rotation.current)
        }
    }

    /// What a refresh token gets.
    package enum Verdict: Hashable, Sendable {
        /// Tokens, and the refresh token with this number.
        case granted(node: UInt32)
        case refused(Cause)
    }

    /// Why a refresh token gets nothing.
    package enum Cause: String, Hashable, Sendable {
        case reused, ended, expired, unknown
    }
}
