/// What RFC 9700 advises against, or forbids, and old applications still use. Off unless it is named.
package enum LegacyFeature: String, Sendable, CaseIterable {
    /// The password grant (RFC 6749 section 4.3; RFC 9700 section 2.4: MUST NOT be used).
    case password
    /// Response types that give tokens and no code (RFC 6749 section 4.2; RFC 9700 section 2.1.2).
    case implicit
    /// Response types that give a code and tokens (OpenID Connect Core section 3.3).
    case hybrid
    /// Code challenges that are the verifier itself (RFC 7636 section 4.2; RFC 9700 section 2.1.1).
    case plainChallenge = "plain_pkce"
}
