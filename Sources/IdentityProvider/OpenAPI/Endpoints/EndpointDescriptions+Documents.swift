extension EndpointDescriptions {
    /// RFC 7517 section 5.
    static let keys = OperationDescription("getKeys", tag: "Documents", "The keys that verify tokens (RFC 7517).")
        .answering(
            200, "A JWK set.",
            .json(
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
                    ], required: ["keys"])), fields: [("ETag", "For If-None-Match.")]
        ).answering(304, "It has not changed.")

    /// RFC 8414 section 3, OpenID Connect Discovery section 4.
    static func discovery(_ name: String, _ standard: String) -> OperationDescription {
        OperationDescription(name, tag: "Documents", "What the provider says of itself (\(standard)).")
            .answering(
                200, "RFC 8414 section 2.", .json(metadata), fields: [("ETag", "For If-None-Match.")]
            ).answering(304, "It has not changed.")
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
        OperationDescription(
            "\(method.rawValue)UserInfo", tag: "Users", "Who the user of an access token is (OpenID Connect Core 5.3)."
        ).with(.init("DPoP", in: .header, .string(), "A proof of possession (RFC 9449 section 7)."))
            .answering(
                200, "Section 5.3.2; signed for a client that has registered for it.",
                .init([
                    ("application/json", .object([("sub", .string())], required: ["sub"], isOpen: true)),
                    ("application/jwt", .string()),
                ])
            ).refusing((400, "More than one token."))
            .answering(
                401, "RFC 6750 section 3: the challenge says why.", .json(.reference("Error")),
                fields: [("WWW-Authenticate", "A challenge of the scheme Bearer.")]
            ).refusing((403, "The scope openid was not granted.")).secured(by: OpenAPIDocument.bearer)
    }
}
