// Each extension of OAuth and its codes. The status is the one at an endpoint that answers its client directly; what
// goes to a redirect URI has no status of its own.

/// RFC 6749 section 4.1.2.1; RFC 8628 section 3.5 takes `access_denied` to the token endpoint.
extension OAuthErrorCode {
    package static let accessDenied = Self("access_denied", status: 400)
    package static let unsupportedResponseType = Self("unsupported_response_type", status: 400)
}

/// RFC 6750 section 3.1.
extension OAuthErrorCode {
    package static let invalidToken = Self("invalid_token", status: 401)
    package static let insufficientScope = Self("insufficient_scope", status: 403)
}

/// OpenID Connect Core section 3.1.2.6.
extension OAuthErrorCode {
    package static let interactionRequired = Self("interaction_required", status: 400)
    package static let loginRequired = Self("login_required", status: 400)
    package static let accountSelectionRequired = Self("account_selection_required", status: 400)
    package static let consentRequired = Self("consent_required", status: 400)
    package static let invalidRequestURI = Self("invalid_request_uri", status: 400)
    package static let invalidRequestObject = Self("invalid_request_object", status: 400)
    package static let requestNotSupported = Self("request_not_supported", status: 400)
    package static let requestURINotSupported = Self("request_uri_not_supported", status: 400)
    package static let registrationNotSupported = Self("registration_not_supported", status: 400)
}

/// OpenID Connect Core Error Code unmet_authentication_requirements 1.0, section 2.
extension OAuthErrorCode {
    package static let unmetAuthenticationRequirements = Self("unmet_authentication_requirements", status: 400)
}

/// RFC 7009 section 2.2.1.
extension OAuthErrorCode {
    package static let unsupportedTokenType = Self("unsupported_token_type", status: 400)
}

/// RFC 7591 section 3.2.2.
extension OAuthErrorCode {
    package static let invalidRedirectURI = Self("invalid_redirect_uri", status: 400)
    package static let invalidClientMetadata = Self("invalid_client_metadata", status: 400)
    package static let invalidSoftwareStatement = Self("invalid_software_statement", status: 400)
    package static let unapprovedSoftwareStatement = Self("unapproved_software_statement", status: 400)
}

/// RFC 8628 section 3.5.
extension OAuthErrorCode {
    package static let authorizationPending = Self("authorization_pending", status: 400)
    package static let slowDown = Self("slow_down", status: 400)
    package static let expiredToken = Self("expired_token", status: 400)
}

/// RFC 8707 section 2; RFC 8693 section 2.2.2.
extension OAuthErrorCode {
    package static let invalidTarget = Self("invalid_target", status: 400)
}

/// RFC 9449 sections 5, 7.1 and 8: 400 at the token endpoint, and 401 where a resource is protected; see
/// ``OAuthErrorCode/atResource``.
extension OAuthErrorCode {
    package static let invalidDPoPProof = Self("invalid_dpop_proof", status: 400)
    package static let useDPoPNonce = Self("use_dpop_nonce", status: 400)

    /// The code as a protected resource answers with it: RFC 9449 sections 7.1 and 9 have 401 there.
    package var atResource: Self {
        self == .invalidDPoPProof || self == .useDPoPNonce ? Self(rawValue: rawValue, status: 401) : self
    }
}
