import JOSE

/// How ID tokens are made.
package struct IDTokenPolicy: Sendable {
    package var algorithm: SignatureAlgorithm
    /// In whole seconds, from one on.
    package var lifetime: Duration
    package var userClaims: UserClaims

    package init(
        algorithm: SignatureAlgorithm, lifetime: Duration = .seconds(300), userClaims: UserClaims = .always
    ) {
        self.algorithm = algorithm
        self.lifetime = lifetime
        self.userClaims = userClaims
    }

    /// Whether the claims that the scope stands for are in the ID token.
    package enum UserClaims: String, Sendable, CaseIterable {
        /// As most providers do.
        case always
        /// OpenID Connect Core section 5.4: only when there is no access token that would get them from the userinfo
        /// endpoint.
        case withoutAccessToken = "without_access_token"
    }
}
