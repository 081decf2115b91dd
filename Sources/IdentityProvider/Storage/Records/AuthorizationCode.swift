import OAuth
import Primitives

/// A code that a client may turn into tokens, once (RFC 6749 section 4.1.2).
package struct AuthorizationCode: Sendable {
    package let terms: FamilyTerms
    /// As the authorization request had it: the token request must say the same (section 4.1.3). `nil` when it named none.
    package let redirectURI: String?
    /// RFC 7636.
    package let challenge: CodeChallenge?
    /// RFC 9449 section 10: the key whose proof must come with the code.
    package let proofKeyThumbprint: String?
    /// Whether tokens came with it, so that its family has begun: what that is bound to cannot change any more.
    package let hasBegunFamily: Bool
    package let expires: Timestamp
    package var isConsumed = false

    package init(
        terms: FamilyTerms, redirectURI: String?, challenge: CodeChallenge?, proofKeyThumbprint: String? = nil,
        hasBegunFamily: Bool = false, expires: Timestamp
    ) {
        self.terms = terms
        self.redirectURI = redirectURI
        self.challenge = challenge
        self.proofKeyThumbprint = proofKeyThumbprint
        self.hasBegunFamily = hasBegunFamily
        self.expires = expires
    }

    /// What becomes of a code that is presented.
    package enum Consumption: Sendable {
        /// It was good, and is not any more.
        case consumed(AuthorizationCode)
        /// It was consumed before: what it gave must be revoked (RFC 6749 section 4.1.2).
        case replayed(AuthorizationCode)
        /// Its time is over. It can be presented no more.
        case expired
        case unknown
    }
}
