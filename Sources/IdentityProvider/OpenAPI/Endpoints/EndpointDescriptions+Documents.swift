extension OperationDescription {
    /// Gives back a ``CacheableDocument``.
    func answeringDocument(_ description: String, _ schema: Schema) -> Self {
        answering(200, description, .json(schema), fields: [("ETag", "For If-None-Match.")])
            .answering(304, "It has not changed.")
    }
}

extension EndpointDescriptions {
    /// RFC 7517 section 5.
    static let keys = OperationDescription("getKeys", tag: "Documents", "The keys that verify tokens (RFC 7517).")
        .answeringDocument(
            "A JWK set.",
            .object(
                [
                    (
                        "keys",
                        .array(
                            of: .object(
                                [
                                    ("kty", .string()), ("kid", .string()), ("alg", .string()), ("use", .string()),
                                    ("n", .string()), ("e", .string()), ("crv", .string()), ("x", .string()),
                                    ("y", .string()),
                                ], required: ["kty", "kid", "alg"]))
                    )
                ], required: ["keys"]))

    /// RFC 8414 section 3, OpenID Connect Discovery section 4.
    static func discovery(_ name: String, _ standard: String) -> OperationDescription {
        OperationDescription(name, tag: "Documents", "What the provider says of itself (\(standard)).")
            .answeringDocument("RFC 8414 section 2.", metadata)
    }

    private static let metadata = Schema.object(
        [
            ("issuer", .url()), ("authorization_endpoint", .url()), ("token_endpoint", .url()), ("jwks_uri", .url()),
            ("registration_endpoint", .url()), ("userinfo_endpoint", .url()), ("introspection_endpoint", .url()),
            ("revocation_endpoint", .url()), ("device_authorization_endpoint", .url()),
            ("pushed_authorization_request_endpoint", .url()), ("end_session_endpoint", .url()),
            ("scopes_supported", .array(of: .string())), ("response_types_supported", .array(of: .string())),
            ("grant_types_supported", .array(of: .string())),
        ], required: ["issuer", "token_endpoint", "jwks_uri", "response_types_supported"], isOpen: true)

    /// OpenID Connect Core section 5.3.
    static let userInfo: Operations = { method in
        var operation = OperationDescription(
            "\(method.rawValue)UserInfo", tag: "Users", "Who the user of an access token is (OpenID Connect Core 5.3)."
        ).with(.init("DPoP", in: .header, .string(), "A proof of possession (RFC 9449 section 7)."))
        if method == .post {
            operation = operation.taking(
                .form(
                    .object(
                        [("access_token", .string("In the place of the header (RFC 6750 section 2.2)."))], isOpen: true)
                ), isRequired: false)
        }
        return
            operation
            .answering(
                200, "Section 5.3.2; signed for a client that has registered for it.",
                .init([
                    ("application/json", .object([("sub", .string())], required: ["sub"], isOpen: true)),
                    ("application/jwt", .string()),
                ])
            ).refusing((400, "More than one token, a malformed one, or one in the URL."))
            .answering(
                401, "RFC 6750 section 3: the challenge says why.", .json(.reference("Error")),
                fields: [("WWW-Authenticate", "A challenge of the scheme Bearer.")]
            ).refusing((403, "The scope openid was not granted.")).secured(by: OpenAPIDocument.bearer)
    }
}
