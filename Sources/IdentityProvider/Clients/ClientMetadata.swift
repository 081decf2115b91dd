import JOSE
import OAuth
import Primitives

/// What a client has registered about itself: RFC 7591 section 2, OpenID Connect Registration section 2, and the
/// extensions that this provider speaks. A value that is left alone is the default of the standard.
package struct ClientMetadata: Sendable {
    package var name: String?
    package var kind = Kind.web
    package var redirectURIs: [RedirectURI] = []
    package var postLogoutRedirectURIs: [RedirectURI] = []
    /// The values of `grant_type` that it may use.
    package var grants: Set<String> = []
    package var responseTypes: Set<ResponseType> = []
    /// The one way in which it proves itself; `nil` leaves it the choice among those that its credentials allow.
    package var authenticationMethod: String?
    package var scopes = AllowedScopes.any
    /// What it gets when it asks for no scope (RFC 6749 section 3.3).
    package var defaultScope = Scope.empty
    package var consent = Consent.implied

    // Keys
    package var keys: JWKSet?
    package var keysURI: String?

    // Tokens
    package var accessTokenFormat = AccessTokenFormat.jwt
    /// `nil`: that of the provider.
    package var accessTokenAlgorithm: SignatureAlgorithm?
    package var accessTokenLifetime: Duration?
    package var accessTokenAudience: [String] = []
    package var idTokenAlgorithm: SignatureAlgorithm?
    package var idTokenLifetime: Duration?
    /// `nil`: the answer of the userinfo endpoint is plain JSON.
    package var userInfoAlgorithm: SignatureAlgorithm?
    package var refreshTokens = RefreshTokenIssuance.whenGrantAllows
    /// What becomes of a refresh token that is presented; `nil`: what the provider says.
    package var rotation: RotationPolicy?
    /// Claims that every token for this client carries.
    package var claims: JSONObject = [:]

    // Subjects (OpenID Connect Core section 8)
    package var subjectType = SubjectType.shared
    /// The host that stands for a sector of clients; `nil`: that of the redirect URIs.
    package var sectorHost: String?
    package var sectorIdentifierURI: String?

    // Authorization requests
    package var requiresPKCE = true
    package var requiresPushedRequests = false
    package var requiresSignedRequestObjects = false
    package var requestObjectAlgorithm: SignatureAlgorithm?
    package var requestURIs: [String] = []
    package var defaultMaximumAge: Duration?
    package var requiresAuthenticationTime = false
    package var defaultACRValues: [String] = []
    package var initiateLoginURI: String?

    // Authentication and sender constraint
    package var authenticationAlgorithm: SignatureAlgorithm?
    package var requiresDPoP = false
    package var requiresCertificateBinding = false
    /// RFC 8705 section 2.1.2: what the certificate must say, by the name of the metadata parameter.
    package var certificateSubject: CertificateSubject?

    // Logout
    package var backChannelLogoutURI: String?
    package var backChannelLogoutSessionRequired = false
    package var frontChannelLogoutURI: String?
    package var frontChannelLogoutSessionRequired = false

    /// `nil`: it has no sessions in cookies.
    package var cookieSession: CookieSessionSettings?

    // For people
    package var clientURI: String?
    package var logoURI: String?
    package var policyURI: String?
    package var termsURI: String?
    package var contacts: [String] = []
    /// Members that this provider has no use for and gives back as they came (names in other languages, software
    /// identifiers).
    package var otherMembers: JSONObject = [:]

    package init() {}

    /// RFC 7591 section 2, `application_type` of OpenID Connect Registration.
    package enum Kind: String, Sendable, CaseIterable { case web, native }

    /// Whether the user is asked before the client gets what it wants.
    package enum Consent: String, Sendable, CaseIterable {
        /// Never, unless the request says `prompt=consent`: what tests mostly want.
        case implied
        /// Until the user has agreed, and again when the client wants more.
        case remembered
        case always
    }

    /// What an access token is to those who see it.
    package enum AccessTokenFormat: String, Sendable, CaseIterable {
        /// RFC 9068.
        case jwt
        /// A random text that means nothing to anybody but this provider (RFC 7662 tells what it stands for).
        case opaque
    }

    /// When a client that may use the refresh grant gets a refresh token.
    package enum RefreshTokenIssuance: String, Sendable, CaseIterable {
        /// Whenever a user has authorised it.
        case whenGrantAllows = "always"
        /// OpenID Connect Core section 11: only when it asked for `offline_access`.
        case whenAskedFor = "offline_access"
    }

    /// Whether all clients know a user by the same `sub`.
    package enum SubjectType: String, Sendable, CaseIterable {
        /// The same for every client.
        case shared = "public"
        /// Another one for each sector, so that clients cannot compare notes.
        case pairwise
    }

    /// RFC 8705 section 2.1.2. Exactly one is registered.
    package enum CertificateSubject: Sendable, Hashable {
        case distinguishedName(String)
        case dns(String)
        case uri(String)
        case ip(String)
        case email(String)
    }
}
