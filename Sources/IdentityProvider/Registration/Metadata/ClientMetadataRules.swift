import OAuth
import Primitives

/// By which rules the metadata of a client is read: they are stricter with strangers than with whoever runs the provider.
package struct ClientMetadataRules: Sendable {
    package var source: Source
    package var redirects: Redirects
    /// What the provider lets clients do that RFC 9700 advises against.
    package var legacy: Set<LegacyFeature>
    /// The ways of authentication that a client may register.
    package var authenticationMethods: Set<String>

    package init(
        _ source: Source, legacy: Set<LegacyFeature> = [], redirects: Redirects? = nil,
        authenticationMethods: Set<String> = Self.everyAuthenticationMethod
    ) {
        self.source = source
        self.legacy = legacy
        self.redirects = redirects ?? (source == .registration ? .secure : .any)
        self.authenticationMethods = authenticationMethods
    }

    /// Who says it.
    package enum Source: Hashable, Sendable {
        /// The client itself (RFC 7591). Members that nobody knows are ignored (section 2), what follows from being left
        /// out is the default of the standard, and what is not for a client to decide is refused.
        case registration
        /// Whoever runs the provider. Members that nobody knows are mistakes, and a client without a secret and a key is
        /// a public one.
        case configuration
    }

    /// Which redirect URIs are taken, among those that are well formed.
    package enum Redirects: Hashable, Sendable {
        /// OpenID Connect Registration section 2, RFC 8252 section 7: `https`, this machine, and for native
        /// applications a scheme of their own.
        case secure
        /// `http` to other machines too, such as those of a test.
        case any
    }

    package static let everyAuthenticationMethod: Set<String> = [
        "none", "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "tls_client_auth",
        "self_signed_tls_client_auth",
    ]

    /// The values of `grant_type` that a client may register.
    var grants: Set<String> { StandardClients.everyGrant(with: legacy) }

    var responseTypes: Set<ResponseType> { StandardClients.everyResponseType(with: legacy) }
}
