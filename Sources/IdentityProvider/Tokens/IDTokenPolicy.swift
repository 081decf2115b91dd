import JOSE

/// How ID tokens are made.
package struct IDTokenPolicy: Sendable {
    /// What was said; `nil`: nothing, and so it follows from that of access tokens.
    package private(set) var ownAlgorithm: SignatureAlgorithm?
    private var followingAlgorithm: SignatureAlgorithm
    /// In whole seconds, from one on.
    package var lifetime: Duration
    package var userClaims: UserClaims

    package init(
        algorithm: SignatureAlgorithm, lifetime: Duration = .seconds(300), userClaims: UserClaims = .always
    ) {
        ownAlgorithm = algorithm
        followingAlgorithm = algorithm
        self.lifetime = lifetime
        self.userClaims = userClaims
    }

    /// With the algorithm that follows from that of access tokens, until another is said.
    package init(following algorithm: SignatureAlgorithm) {
        self.init(algorithm: .following(algorithm))
        ownAlgorithm = nil
    }

    /// What signs them.
    package var algorithm: SignatureAlgorithm {
        get { ownAlgorithm ?? followingAlgorithm }
        set { ownAlgorithm = newValue }
    }

    /// As if nobody had ever said an algorithm.
    package mutating func forgetOwnAlgorithm() { ownAlgorithm = nil }

    /// Access tokens have this algorithm now.
    mutating func follow(_ algorithm: SignatureAlgorithm) { followingAlgorithm = .following(algorithm) }

    /// Whether the claims that the scope stands for are in the ID token.
    package enum UserClaims: String, Sendable, CaseIterable {
        /// As most providers do.
        case always
        /// OpenID Connect Core section 5.4: only when there is no access token that would get them from the userinfo
        /// endpoint.
        case withoutAccessToken = "without_access_token"
    }
}
