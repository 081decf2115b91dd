import JOSE
import Primitives
import Synchronization

/// The signed access tokens that the keys of a ring have verified, as long as these keys are trusted.
///
/// Whoever protects something asks about the same token many times. That a key made its signature stays true, and is found
/// out once; what changes, its time first of all, is judged each time. A ring to which something is done has another one of
/// these, so that no token outlives the trust in its key here.
///
/// Of a token its digest is kept, and what it says; and only of one that was good when it came, so that nothing that is
/// forged or out of date takes the place of others.
package final class AccessTokenVerifier: Sendable {
    let keys: VerificationKeySet
    private let known: Mutex<BoundedCache<TokenDigest, VerifiedAccessToken>>

    /// - Parameter maximumCount: of the tokens that are kept for this ring, some 2 KB each.
    package init(keys: VerificationKeySet, maximumCount: Int = 1024) {
        self.keys = keys
        known = Mutex(BoundedCache(maximumCount: maximumCount))
    }

    /// What was verified before.
    package func token(known digest: TokenDigest) -> VerifiedAccessToken? { known.withLock { $0[digest] } }

    /// Verifies a token, and remembers it if it is good now.
    package func verify(_ token: String, digest: TokenDigest, at now: Timestamp) -> VerifiedAccessToken? {
        guard let verified = VerifiedAccessToken(token, keys: keys, at: now) else { return nil }
        if verified.standing(at: now) == .good { known.withLock { $0.insert(verified, for: digest) } }
        return verified
    }
}

/// A signed access token of ours: its signature, its type and its form are right. Whether it is in its time is asked of it.
package final class VerifiedAccessToken: Sendable {
    package let facts: AccessTokenFacts
    private let token: VerifiedJWT

    /// `nil` unless one of the keys signed it, and if it went out of its time too long ago for anybody to look for it.
    ///
    /// Its `iss` is not compared: a provider that is reached by several names gives tokens under one and is asked about
    /// them under another. That its own key signed them is what makes them its own.
    fileprivate init?(_ text: String, keys: VerificationKeySet, at now: Timestamp) {
        guard let token = try? Self.policy.verify(text, keys: keys, at: now),
            let facts = AccessTokenFacts(token.claims)
        else { return nil }
        self.token = token
        self.facts = facts
    }

    /// How a token stands to its time.
    package enum Standing: Sendable {
        case good
        /// It was good not long ago.
        case expired
    }

    /// `nil`: it is not good yet, or was so too long ago.
    package func standing(at now: Timestamp) -> Standing? {
        do throws(JWTError) {
            try Self.dates.requireClaims(of: token, at: now)
            return .good
        } catch {
            guard case .expired = error, (try? Self.pastDates.requireClaims(of: token, at: now)) != nil else {
                return nil
            }
            return .expired
        }
    }

    private static let policy = JWTPolicy(
        issuer: .unchecked, audience: .unchecked, type: .exactly(TokenType.accessToken.header),
        leeway: AccessTokenReader.longestPast, requiredClaims: ["exp", "iat", "sub", "jti", "client_id"])

    // That a claim is there has been found out, and stays so.
    private static let dates = JWTPolicy(issuer: .unchecked, audience: .unchecked, requiredClaims: [])
    private static let pastDates = JWTPolicy(
        issuer: .unchecked, audience: .unchecked, leeway: AccessTokenReader.longestPast, requiredClaims: [])
}
