import Cookies
import OAuth
import Primitives

/// The tokens of a login as they were after its last refresh.
package struct Credential: Equatable, Sendable {
    /// Which one it is of its login: 1 came with the sign-in, and each refresh brings the next.
    package var generation: UInt64
    /// `nil`: it came with the sign-in.
    package var presentation: Presentation?
    package var accessToken: Secret
    /// `Bearer` or `DPoP`, as the server wrote it.
    package var tokenType: String
    /// By the clock of the server; `nil`: it has not said.
    package var expires: Timestamp?
    /// From when on it is worth while to ask for the next one, by the clock of the server. Chosen once for everybody who shares
    /// the store, with some chance in it, so that not all users of an app refresh in the same second.
    package var refreshAfter: Timestamp?
    package var refreshToken: Secret?
    package var scope: Scope?
    package var idToken: Secret?
    /// By how much the clock of the server was ahead of ours when the tokens came.
    package var skew: Duration
    /// The key that the tokens are bound to (RFC 9449).
    package var dpopKey: Secret?
    /// Of a session that is kept in cookies. The two tokens above are values of two of them.
    package var cookies: [Cookie]

    package init(
        generation: UInt64, presentation: Presentation? = nil, accessToken: Secret, tokenType: String,
        expires: Timestamp? = nil, refreshAfter: Timestamp? = nil, refreshToken: Secret? = nil, scope: Scope? = nil,
        idToken: Secret? = nil, skew: Duration = .zero, dpopKey: Secret? = nil, cookies: [Cookie] = []
    ) {
        self.generation = generation
        self.presentation = presentation
        self.accessToken = accessToken
        self.tokenType = tokenType
        self.expires = expires
        self.refreshAfter = refreshAfter
        self.refreshToken = refreshToken
        self.scope = scope
        self.idToken = idToken
        self.skew = skew
        self.dpopKey = dpopKey
        self.cookies = cookies
    }
}

extension Credential {
    /// Whether the server takes the access token, as far as can be told without asking it.
    package func isExpired(at now: Timestamp, skew: Duration? = nil) -> Bool {
        expires.map { now + (skew ?? self.skew) >= $0 } ?? false
    }

    /// Whether it is time for the next one.
    package func isDue(at now: Timestamp, skew: Duration? = nil) -> Bool {
        isExpired(at: now, skew: skew) || refreshAfter.map { now + (skew ?? self.skew) >= $0 } ?? false
    }
}

extension Credential {
    /// Those that came with an answer. RFC 6749 section 6: without a new refresh token the old one is still good.
    ///
    /// - Parameters:
    ///   - former: what they replace; `nil`: they came with a sign-in.
    ///   - attempt: the how-maniest time that it was asked for.
    ///   - learned: of the server's clock, by an answer since then; what comes with this one counts more.
    ///   - chance: from 0 to 1.
    package init(
        _ grant: TokenGrant, replacing former: Credential? = nil, attempt: Int = 1, learned: Duration? = nil,
        dpopKey: Secret? = nil, ahead: RefreshAhead, chance: Double
    ) {
        let skew =
            grant.serverTime.map { ClockSkew.learned(from: $0, at: grant.receivedAt) } ?? learned ?? former?.skew
            ?? .zero
        let expires = grant.expiresIn.map { grant.receivedAt + skew + $0 }
        self.init(
            generation: (former?.generation ?? 0) + 1,
            presentation: former.map { Presentation(of: $0.generation, attempt: attempt) },
            accessToken: grant.accessToken, tokenType: grant.tokenType, expires: expires,
            refreshAfter: grant.expiresIn.map {
                grant.receivedAt + skew + ahead.delay(withinLifetime: $0, chance: chance)
            },
            refreshToken: grant.refreshToken ?? former?.refreshToken, scope: grant.scope ?? former?.scope,
            idToken: grant.idToken ?? former?.idToken, skew: skew, dpopKey: dpopKey ?? former?.dpopKey,
            cookies: grant.cookies)
    }
}
