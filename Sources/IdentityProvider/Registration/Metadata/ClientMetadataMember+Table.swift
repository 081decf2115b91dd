import JOSE
import OAuth
import Primitives

/// Every member of client metadata that this provider knows.
extension ClientMetadataMember {
    static let all: [Self] = standard + security + ofSessions + ofThisProvider + unsupported

    static func named(_ name: String) -> Self? { byName[ExactText(name)] }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { (ExactText($0.name), $0) })

    /// RFC 7591 section 2 and OpenID Connect Registration section 2.
    private static let standard: [Self] = [
        redirects("redirect_uris", \.redirectURIs, .redirectURI),
        grantTypes, responseTypes,
        text("client_name", \.name),
        choice("application_type", \.kind),
        scope,
        page("client_uri", \.clientURI), page("logo_uri", \.logoURI), page("policy_uri", \.policyURI),
        page("tos_uri", \.termsURI),
        texts("contacts", \.contacts),
        keys, secureAddress("jwks_uri", \.keysURI),
        choice("subject_type", \.subjectType), sector,
        algorithm("id_token_signed_response_alg", \.idTokenAlgorithm),
        algorithm("userinfo_signed_response_alg", \.userInfoAlgorithm),
        algorithm("request_object_signing_alg", \.requestObjectAlgorithm), requestURIs,
        seconds("default_max_age", from: 0, \.defaultMaximumAge),
        flag("require_auth_time", \.requiresAuthenticationTime),
        texts("default_acr_values", \.defaultACRValues),
        secureAddress("initiate_login_uri", \.initiateLoginURI),
        kept("software_id"), kept("software_version"), softwareStatement,
    ]

    /// Authentication and sender constraint: RFC 7591, RFC 8705 sections 2.1.2 and 3.4, RFC 9449 section 5.2, RFC 9126
    /// section 6, RFC 9101 section 10.5.
    private static let security: [Self] = [
        authenticationMethod,
        algorithm("token_endpoint_auth_signing_alg", \.authenticationAlgorithm),
        certificateSubject("tls_client_auth_subject_dn", { .distinguishedName($0) }) {
            if case .distinguishedName(let text) = $0 { text } else { nil }
        },
        certificateSubject("tls_client_auth_san_dns", { .dns($0) }) {
            if case .dns(let text) = $0 { text } else { nil }
        },
        certificateSubject("tls_client_auth_san_uri", { .uri($0) }) {
            if case .uri(let text) = $0 { text } else { nil }
        },
        certificateSubject("tls_client_auth_san_ip", { .ip($0) }) { if case .ip(let text) = $0 { text } else { nil } },
        certificateSubject("tls_client_auth_san_email", { .email($0) }) {
            if case .email(let text) = $0 { text } else { nil }
        },
        flag("tls_client_certificate_bound_access_tokens", \.requiresCertificateBinding),
        flag("dpop_bound_access_tokens", \.requiresDPoP),
        flag("require_pushed_authorization_requests", \.requiresPushedRequests),
        flag("require_signed_request_object", \.requiresSignedRequestObjects),
    ]

    /// OpenID Connect RP-Initiated Logout section 3.1, Back-Channel Logout section 2.2, Front-Channel Logout section 2.
    private static let ofSessions: [Self] = [
        redirects("post_logout_redirect_uris", \.postLogoutRedirectURIs, .metadata),
        secureAddress("backchannel_logout_uri", \.backChannelLogoutURI),
        flag("backchannel_logout_session_required", \.backChannelLogoutSessionRequired),
        secureAddress("frontchannel_logout_uri", \.frontChannelLogoutURI),
        flag("frontchannel_logout_session_required", \.frontChannelLogoutSessionRequired),
    ]

    /// What no standard has a name for.
    private static let ofThisProvider: [Self] = [
        flag("require_pkce", \.requiresPKCE),
        choice("access_token_format", \.accessTokenFormat),
        algorithm("access_token_signed_response_alg", \.accessTokenAlgorithm),
        choice("refresh_token_issuance", \.refreshTokens),
        defaultScope,
        seconds("access_token_lifetime", from: 1, \.accessTokenLifetime).ofOperator,
        seconds("id_token_lifetime", from: 1, \.idTokenLifetime).ofOperator,
        texts("access_token_audience", \.accessTokenAudience).ofOperator,
        choice("consent", \.consent).ofOperator,
        rotation.ofOperator,
        claims.ofOperator, cookieSession.ofOperator,
    ]

    /// A client that asks for encryption and gets none would take the difference for an attack, or not see it.
    private static let unsupported: [Self] = [
        "id_token_encrypted_response_alg", "id_token_encrypted_response_enc", "userinfo_encrypted_response_alg",
        "userinfo_encrypted_response_enc", "request_object_encryption_alg", "request_object_encryption_enc",
        "introspection_encrypted_response_alg", "introspection_encrypted_response_enc",
        "authorization_encrypted_response_alg", "authorization_encrypted_response_enc",
    ].map { refused($0, "encryption is not supported: tokens and requests are signed, and TLS encrypts them") }
}
