import OAuth
import Testing

@Suite struct OAuthErrorTests {
    @Test(arguments: [
        (OAuthErrorCode.invalidRequest, "invalid_request", 400), (.invalidClient, "invalid_client", 401),
        (.invalidGrant, "invalid_grant", 400), (.unauthorizedClient, "unauthorized_client", 400),
        (.unsupportedGrantType, "unsupported_grant_type", 400), (.invalidScope, "invalid_scope", 400),
        (.serverError, "server_error", 500), (.temporarilyUnavailable, "temporarily_unavailable", 503),
    ])
    func codesAreThoseOfTheStandard(code: OAuthErrorCode, wire: String, status: Int) {
        #expect(code.rawValue == wire)
        #expect(code.status == status)
    }

    /// RFC 6749 section 5.2: %x20-21 / %x23-5B / %x5D-7E.
    @Test func aDescriptionKeepsToTheCharactersOfTheStandard() {
        let every = String(String.UnicodeScalarView((0...0x17F).compactMap(Unicode.Scalar.init)))
        let description = OAuthError(.invalidRequest, every).publicDescription
        for byte in description.utf8 {
            #expect((0x20...0x21).contains(byte) || (0x23...0x5B).contains(byte) || (0x5D...0x7E).contains(byte))
        }
        #expect(description.unicodeScalars.count == every.unicodeScalars.count)
        #expect(description.contains("#$%&'()*+,-./0123456789:;<=>?@ABC"))
    }

    @Test func aPlainDescriptionStaysAsItIs() {
        #expect(OAuthError(.invalidScope, "may ask for: read write").publicDescription == "may ask for: read write")
    }

    @Test func twoErrorsAreTheSameWhenTheirCodesAre() {
        #expect(OAuthError(.invalidClient, "one", cause: "this") == OAuthError(.invalidClient, "two"))
        #expect(OAuthError(.invalidClient, "one") != OAuthError(.invalidGrant, "one"))
    }

    @Test(arguments: [
        (OAuthErrorCode.accessDenied, "access_denied", 400),
        (.unsupportedResponseType, "unsupported_response_type", 400), (.invalidToken, "invalid_token", 401),
        (.insufficientScope, "insufficient_scope", 403), (.interactionRequired, "interaction_required", 400),
        (.loginRequired, "login_required", 400), (.accountSelectionRequired, "account_selection_required", 400),
        (.consentRequired, "consent_required", 400), (.invalidRequestURI, "invalid_request_uri", 400),
        (.invalidRequestObject, "invalid_request_object", 400),
        (.requestNotSupported, "request_not_supported", 400),
        (.requestURINotSupported, "request_uri_not_supported", 400),
        (.registrationNotSupported, "registration_not_supported", 400),
        (.unmetAuthenticationRequirements, "unmet_authentication_requirements", 400),
        (.unsupportedTokenType, "unsupported_token_type", 400), (.invalidRedirectURI, "invalid_redirect_uri", 400),
        (.invalidClientMetadata, "invalid_client_metadata", 400),
        (.invalidSoftwareStatement, "invalid_software_statement", 400),
        (.unapprovedSoftwareStatement, "unapproved_software_statement", 400),
        (.authorizationPending, "authorization_pending", 400), (.slowDown, "slow_down", 400),
        (.expiredToken, "expired_token", 400), (.invalidTarget, "invalid_target", 400),
        (.invalidDPoPProof, "invalid_dpop_proof", 400), (.useDPoPNonce, "use_dpop_nonce", 400),
        (.invalidDPoPProof.atResource, "invalid_dpop_proof", 401), (.useDPoPNonce.atResource, "use_dpop_nonce", 401),
        (.insufficientScope.atResource, "insufficient_scope", 403),
    ])
    func codesOfTheExtensionsAreThoseOfTheirStandards(code: OAuthErrorCode, wire: String, status: Int) {
        #expect(code.rawValue == wire)
        #expect(code.status == status)
    }
}
