extension ServerMetadata {
    /// The name of a member. Extensions of OAuth register their own and add them beside themselves.
    package struct Member: Hashable, Sendable {
        package let rawValue: String

        package init(_ rawValue: StaticString) {
            self.rawValue = rawValue.description
        }
    }
}

/// RFC 8414 section 2.
extension ServerMetadata.Member {
    package static let issuer = Self("issuer")
    package static let authorizationEndpoint = Self("authorization_endpoint")
    package static let tokenEndpoint = Self("token_endpoint")
    package static let keySetURI = Self("jwks_uri")
    package static let registrationEndpoint = Self("registration_endpoint")
    package static let scopesSupported = Self("scopes_supported")
    package static let responseTypesSupported = Self("response_types_supported")
    package static let responseModesSupported = Self("response_modes_supported")
    package static let grantTypesSupported = Self("grant_types_supported")
    package static let tokenEndpointAuthenticationMethods = Self("token_endpoint_auth_methods_supported")
    package static let tokenEndpointAuthenticationAlgorithms = Self("token_endpoint_auth_signing_alg_values_supported")
    package static let serviceDocumentation = Self("service_documentation")
    package static let pageLocalesSupported = Self("ui_locales_supported")
    package static let policyURI = Self("op_policy_uri")
    package static let termsOfServiceURI = Self("op_tos_uri")
    package static let revocationEndpoint = Self("revocation_endpoint")
    package static let revocationEndpointAuthenticationMethods = Self("revocation_endpoint_auth_methods_supported")
    package static let revocationEndpointAuthenticationAlgorithms = Self(
        "revocation_endpoint_auth_signing_alg_values_supported")
    package static let introspectionEndpoint = Self("introspection_endpoint")
    package static let introspectionEndpointAuthenticationMethods = Self(
        "introspection_endpoint_auth_methods_supported")
    package static let introspectionEndpointAuthenticationAlgorithms = Self(
        "introspection_endpoint_auth_signing_alg_values_supported")
    package static let codeChallengeMethodsSupported = Self("code_challenge_methods_supported")
    package static let signedMetadata = Self("signed_metadata")
}

/// OpenID Connect Discovery section 3.
extension ServerMetadata.Member {
    package static let userinfoEndpoint = Self("userinfo_endpoint")
    package static let authenticationContextsSupported = Self("acr_values_supported")
    package static let subjectTypesSupported = Self("subject_types_supported")
    package static let idTokenSigningAlgorithms = Self("id_token_signing_alg_values_supported")
    package static let idTokenEncryptionAlgorithms = Self("id_token_encryption_alg_values_supported")
    package static let idTokenContentEncryptions = Self("id_token_encryption_enc_values_supported")
    package static let userinfoSigningAlgorithms = Self("userinfo_signing_alg_values_supported")
    package static let userinfoEncryptionAlgorithms = Self("userinfo_encryption_alg_values_supported")
    package static let userinfoContentEncryptions = Self("userinfo_encryption_enc_values_supported")
    package static let requestObjectSigningAlgorithms = Self("request_object_signing_alg_values_supported")
    package static let requestObjectEncryptionAlgorithms = Self("request_object_encryption_alg_values_supported")
    package static let requestObjectContentEncryptions = Self("request_object_encryption_enc_values_supported")
    package static let displayValuesSupported = Self("display_values_supported")
    package static let claimTypesSupported = Self("claim_types_supported")
    package static let claimsSupported = Self("claims_supported")
    package static let claimsLocalesSupported = Self("claims_locales_supported")
    package static let claimsParameterSupported = Self("claims_parameter_supported")
    package static let requestParameterSupported = Self("request_parameter_supported")
    package static let requestURIParameterSupported = Self("request_uri_parameter_supported")
    package static let requireRequestURIRegistration = Self("require_request_uri_registration")
}

/// OpenID Connect Session Management section 3.3.
extension ServerMetadata.Member {
    package static let checkSessionFrame = Self("check_session_iframe")
}

/// OpenID Connect RP-Initiated Logout section 2.1.
extension ServerMetadata.Member {
    package static let endSessionEndpoint = Self("end_session_endpoint")
}

/// OpenID Connect Front-Channel Logout section 3.
extension ServerMetadata.Member {
    package static let frontChannelLogoutSupported = Self("frontchannel_logout_supported")
    package static let frontChannelLogoutSessionSupported = Self("frontchannel_logout_session_supported")
}

/// OpenID Connect Back-Channel Logout section 2.1.
extension ServerMetadata.Member {
    package static let backChannelLogoutSupported = Self("backchannel_logout_supported")
    package static let backChannelLogoutSessionSupported = Self("backchannel_logout_session_supported")
}

/// Initiating User Registration via OpenID Connect section 4.2.
extension ServerMetadata.Member {
    package static let promptValuesSupported = Self("prompt_values_supported")
}

/// RFC 8628 section 4.
extension ServerMetadata.Member {
    package static let deviceAuthorizationEndpoint = Self("device_authorization_endpoint")
}

/// RFC 8705 sections 3.3 and 5.
extension ServerMetadata.Member {
    package static let certificateBoundAccessTokens = Self("tls_client_certificate_bound_access_tokens")
    package static let mutualTLSEndpointAliases = Self("mtls_endpoint_aliases")
}

/// RFC 9101 section 10.5.
extension ServerMetadata.Member {
    package static let requireSignedRequestObject = Self("require_signed_request_object")
}

/// RFC 9126 section 5.
extension ServerMetadata.Member {
    package static let pushedAuthorizationRequestEndpoint = Self("pushed_authorization_request_endpoint")
    package static let requirePushedAuthorizationRequests = Self("require_pushed_authorization_requests")
}

/// RFC 9207 section 3.
extension ServerMetadata.Member {
    package static let responseIssuerParameterSupported = Self("authorization_response_iss_parameter_supported")
}

/// RFC 9449 section 5.1.
extension ServerMetadata.Member {
    package static let dpopSigningAlgorithms = Self("dpop_signing_alg_values_supported")
}
