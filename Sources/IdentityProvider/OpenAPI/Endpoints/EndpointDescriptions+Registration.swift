extension EndpointDescriptions {
    /// RFC 7591 section 3.
    static let registration = OperationDescription(
        "registerClient", tag: "Registration", "Register a client (RFC 7591)."
    ).taking(.json(.reference("ClientMetadata")))
        .answering(201, "Section 3.2.1.", .json(.reference("RegisteredClient")))
        .refusing((400, "Section 3.2.2."), (401, "The token is missing or wrong."))
        .secured(by: OpenAPIDocument.bearer)

    /// RFC 7592.
    static let registrationManagement: Operations = { method in
        let operation = OperationDescription(
            "\(method.rawValue)RegisteredClient", tag: "Registration", "Manage a registration (RFC 7592)."
        ).with(.init("client_id", in: .query, .string(), isRequired: true))
            .refusing((401, "The token is missing, or not this client's.")).secured(by: OpenAPIDocument.bearer)
        let malformed = "The token is malformed, in the URL, or there more than once"
        switch method {
        case .get:
            return operation.answering(200, "What is registered.", .json(.reference("RegisteredClient")))
                .refusing((400, "\(malformed)."))
        case .put:
            return operation.taking(.json(.reference("ClientMetadata")))
                .answering(200, "What is registered now.", .json(.reference("RegisteredClient")))
                .refusing((400, "\(malformed); or RFC 7591 section 3.2.2."))
        case .delete: return operation.answering(204, "It is gone.").refusing((400, "\(malformed)."))
        default: return nil
        }
    }

    /// RFC 7591 section 2 and its extensions. Names in other languages may be there too.
    static let clientMetadata = Schema.object(
        metadataMembers, isOpen: true,
        "Metadata of a client (RFC 7591 section 2, OpenID Connect Registration section 2), and what this provider adds."
    )

    /// RFC 7591 section 3.2.1, RFC 7592 section 3.
    static let registeredClient = Schema.object(
        [
            ("client_id", .string()), ("client_secret", .string()), ("client_id_issued_at", .integer()),
            ("client_secret_expires_at", .integer()), ("registration_access_token", .string()),
            ("registration_client_uri", .url()),
        ] + metadataMembers.filter { $0.name != "client_id" && $0.name != "client_secret" }, required: ["client_id"],
        isOpen: true)

    private static let metadataMembers: [(name: String, schema: Schema)] =
        [
            ("client_id", .string("In a configuration alone.")),
            ("client_secret", .string("In a configuration alone.")),
        ]
        + ["redirect_uris", "post_logout_redirect_uris", "request_uris"].map { ($0, .array(of: .url())) }
        + [
            "grant_types", "response_types", "contacts", "default_acr_values", "access_token_audience",
        ].map { ($0, .array(of: .string())) }
        + [
            "client_name", "scope", "token_endpoint_auth_method", "application_type", "subject_type", "software_id",
            "software_version", "software_statement", "id_token_signed_response_alg", "userinfo_signed_response_alg",
            "request_object_signing_alg", "token_endpoint_auth_signing_alg", "tls_client_auth_subject_dn",
            "tls_client_auth_san_dns", "tls_client_auth_san_uri", "tls_client_auth_san_ip",
            "tls_client_auth_san_email", "access_token_format", "access_token_signed_response_alg",
            "refresh_token_issuance", "default_scope", "consent",
        ].map { ($0, .string()) }
        + [
            "client_uri", "logo_uri", "policy_uri", "tos_uri", "jwks_uri", "sector_identifier_uri",
            "initiate_login_uri", "backchannel_logout_uri", "frontchannel_logout_uri",
        ].map { ($0, .url()) }
        + [
            "require_auth_time", "tls_client_certificate_bound_access_tokens", "dpop_bound_access_tokens",
            "require_pushed_authorization_requests", "require_signed_request_object",
            "backchannel_logout_session_required", "frontchannel_logout_session_required", "require_pkce",
        ].map { ($0, .boolean) }
        + ["default_max_age", "access_token_lifetime", "id_token_lifetime"].map { ($0, .integer(minimum: 0)) }
        + [
            ("jwks", .anyObject("RFC 7517 section 5.")), ("claims", .anyObject()),
            ("cookie_session", .anyObject("Its sessions may be in cookies.")),
        ]
}
