import JOSE

/// How access tokens are made.
package struct AccessTokenPolicy: Sendable {
    package var algorithm: SignatureAlgorithm
    /// In whole seconds, from one on.
    package var lifetime: Duration
    package var audience: Audience
    /// `opaque`: those of every client, whatever it says itself.
    package var format = ClientMetadata.AccessTokenFormat.jwt

    package init(
        algorithm: SignatureAlgorithm, lifetime: Duration = .seconds(300), audience: Audience = .issuer
    ) {
        self.algorithm = algorithm
        self.lifetime = lifetime
        self.audience = audience
    }

    /// For whom the tokens are.
    ///
    /// RFC 9068 section 3: `aud` is the resource that the client named, or else a default of the provider's.
    package enum Audience: Sendable, Equatable {
        /// The issuer's URL: the default, because a resource server knows it anyway.
        case issuer
        /// These, one at least.
        case fixed([String])
    }
}
