/// How a code challenge follows from its verifier (RFC 7636 section 4.2).
package enum CodeChallengeMethod: String, Hashable, Sendable, CaseIterable {
    /// BASE64URL(SHA256(ASCII(code_verifier))).
    case s256 = "S256"
    /// The verifier itself: no protection from whoever reads the authorization request.
    case plain
}
