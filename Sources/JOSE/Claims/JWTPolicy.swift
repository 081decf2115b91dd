import Primitives

/// What a token must say to be accepted (RFC 7519 section 4.1, RFC 8725 section 3).
///
///     let policy = JWTPolicy(issuer: .exactly("https://issuer.example"), audience: .oneOf(["api"]))
///     let token = try policy.verify(text, keys: keys, at: clock.now())
///
/// The algorithms are those of the keys. An expiry is required unless `requiredClaims` is emptied.
package struct JWTPolicy: Sendable {
    /// Whose tokens are accepted.
    package enum Issuer: Sendable, Equatable {
        case exactly(String)
        /// Anybody's whose key is trusted.
        case unchecked
    }

    /// For whom the tokens must be meant.
    package enum Audience: Sendable, Equatable {
        /// `aud` must name at least one of these.
        case oneOf([String])
        /// Tokens for somebody else are accepted too: for tools that look at tokens, not for services.
        case unchecked
    }

    /// What sort of token it must be (RFC 8725 section 3.11).
    package enum TokenType: Sendable, Equatable {
        /// `typ` must be this media type, such as `at+jwt`.
        case exactly(String)
        /// A token of any sort, which lets one sort pass for another.
        case unchecked
    }

    package var issuer: Issuer
    package var audience: Audience
    package var type: TokenType
    /// How far the clocks may differ. Counts for every date, at both ends.
    package var leeway: Duration
    /// Claims that must be there, whatever they say.
    package var requiredClaims: [String]
    /// How long ago the token may have been issued; requires `iat`.
    package var maximumAge: Duration?
    package var limits: JWSLimits

    package init(
        issuer: Issuer,
        audience: Audience,
        type: TokenType = .unchecked,
        leeway: Duration = .zero,
        requiredClaims: [String] = ["exp"],
        maximumAge: Duration? = nil,
        limits: JWSLimits = .token
    ) {
        self.issuer = issuer
        self.audience = audience
        self.type = type
        self.leeway = leeway
        self.requiredClaims = requiredClaims
        self.maximumAge = maximumAge
        self.limits = limits
    }

    /// An access token of RFC 9068: section 2.1 says its `typ`, section 2.2 what it must contain.
    package static func accessToken(issuer: String, audience: String, leeway: Duration = .zero) -> JWTPolicy {
        JWTPolicy(
            issuer: .exactly(issuer),
            audience: .oneOf([audience]),
            type: .exactly("at+jwt"),
            leeway: leeway,
            requiredClaims: ["iss", "exp", "aud", "sub", "client_id", "iat", "jti"]
        )
    }
}
