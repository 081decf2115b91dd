extension EndpointDescriptions {
    /// RFC 6749 section 3.2.
    ///
    /// - Parameter grants: those that can be had.
    static func token(offering grants: [String]) -> OperationDescription {
        let parameters: [(name: String, schema: Schema)] =
            [("grant_type", .string(oneOf: grants)), ("scope", .string())]
            + grantParameters.filter { grants.contains($0.grant) }.flatMap(\.parameters)
            + [("resource", .array(of: .url(), "RFC 8707; may be repeated."))]
        return OperationDescription(
            "getToken", tag: "Tokens", "Get tokens for a grant.",
            details: "RFC 6749 sections 4.1.3, 4.3.2, 4.4.2 and 6, RFC 7523, RFC 8628, RFC 8693."
        ).with(
            .init("DPoP", in: .header, .string(), "A proof of possession (RFC 9449 section 4).")
        ).taking(.form(.object(parameters + clientParameters, required: ["grant_type"], isOpen: true)))
            .answering(
                200, "The tokens (RFC 6749 section 5.1).", .json(.reference("TokenResponse")),
                fields: [("Cache-Control", "no-store")]
            ).refusing(
                (400, "RFC 6749 section 5.2, and the codes of each grant."), invalidClient, tooOften,
                (500, "The token could not be made.")
            ).secured(by: OpenAPIDocument.basic)
    }

    private static let grantParameters: [(grant: String, parameters: [(name: String, schema: Schema)])] = [
        (
            AuthorizationCodeGrant.type,
            [("code", .string()), ("redirect_uri", .url()), ("code_verifier", .string("RFC 7636."))]
        ),
        (RefreshTokenGrant.type, [("refresh_token", .string())]),
        (DeviceCodeGrant.type, [("device_code", .string("RFC 8628."))]),
        (PasswordGrant.type, [("username", .string()), ("password", .string())]),
        (JWTBearerGrant.type, [("assertion", .string("RFC 7523."))]),
        (
            TokenExchangeGrant.type,
            [
                ("subject_token", .string("RFC 8693.")), ("subject_token_type", .string()),
                ("actor_token", .string()), ("actor_token_type", .string()), ("requested_token_type", .string()),
                ("audience", .array(of: .string())),
            ]
        ),
    ]

    /// RFC 6749 section 5.1, OpenID Connect Core section 3.1.3.3, RFC 8693 section 2.2.1.
    static let tokenResponse = Schema.object(
        [
            ("access_token", .string()), ("token_type", .string(oneOf: ["Bearer", "DPoP", "N_A"])),
            ("expires_in", .integer("In seconds.", minimum: 0)), ("refresh_token", .string()),
            ("id_token", .string("OpenID Connect Core section 2.")), ("scope", .string()),
            ("issued_token_type", .string()),
        ], required: ["access_token", "token_type", "expires_in"])

    /// RFC 7662.
    static let introspection = OperationDescription(
        "introspect", tag: "Tokens", "Ask what a token says (RFC 7662)."
    ).taking(
        .form(
            .object(
                [("token", .string()), ("token_type_hint", .string())] + clientParameters, required: ["token"],
                isOpen: true))
    ).answering(
        200, "Section 2.2. Of a token that is no good, only that.",
        .json(
            .object(
                [
                    ("active", .boolean), ("scope", .string()), ("client_id", .string()), ("username", .string()),
                    ("token_type", .string()), ("exp", .integer()), ("iat", .integer()), ("nbf", .integer()),
                    ("sub", .string()), ("aud", .any(of: [.string(), .array(of: .string())])), ("iss", .url()),
                    ("jti", .string()),
                ], required: ["active"], isOpen: true))
    ).refusing((400, "The token is missing."), invalidClient, tooOften).secured(by: OpenAPIDocument.basic)

    /// RFC 7009.
    static let revocation = OperationDescription(
        "revoke", tag: "Tokens", "End a token (RFC 7009)."
    ).taking(
        .form(
            .object(
                [("token", .string()), ("token_type_hint", .string())] + clientParameters, required: ["token"],
                isOpen: true))
    ).answering(200, "It is no good, whatever it was (section 2.2).")
        .refusing((400, "The token is missing."), invalidClient, tooOften)
        .secured(by: OpenAPIDocument.basic)

    /// RFC 8628 section 3.1.
    static let deviceAuthorization = OperationDescription(
        "authorizeDevice", tag: "Devices", "Begin at a device without a browser (RFC 8628)."
    ).taking(
        .form(.object([("scope", .string()), ("resource", .array(of: .url()))] + clientParameters, isOpen: true)),
        isRequired: false
    ).answering(
        200, "Section 3.2.",
        .json(
            .object(
                [
                    ("device_code", .string()), ("user_code", .string()), ("verification_uri", .url()),
                    ("verification_uri_complete", .url()), ("expires_in", .integer(minimum: 1)),
                    ("interval", .integer(minimum: 1)),
                ], required: ["device_code", "user_code", "verification_uri", "expires_in"]))
    ).refusing((400, "RFC 6749 section 5.2."), invalidClient, tooOften)
        .secured(by: OpenAPIDocument.basic)
}
