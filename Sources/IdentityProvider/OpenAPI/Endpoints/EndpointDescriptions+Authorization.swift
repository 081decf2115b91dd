extension EndpointDescriptions {
    /// RFC 6749 section 3.1, OpenID Connect Core section 3.1.2.
    ///
    /// - Parameters:
    ///   - types: the response types that some client may use.
    ///   - methods: how a `code_challenge` may be made.
    static func authorize(
        _ method: OpenAPIDocument.Method, types: [String], methods: [String]
    ) -> OperationDescription {
        let operation = OperationDescription(
            "\(method.rawValue)Authorize", tag: "Authorization", "Ask a user to authorise a client.",
            details: "In a browser. It ends at the client's redirect URI, with a code, tokens or an error.")
        let parameters = parameters.map { name, schema -> (name: String, schema: Schema) in
            switch name {
            case "response_type": (name, .string(oneOf: types))
            case "code_challenge_method": (name, .string(oneOf: methods))
            default: (name, schema)
            }
        }
        let described: OperationDescription
        switch method {
        case .post:
            described = operation.taking(.form(.object(parameters, required: ["client_id"], isOpen: true)))
        default:
            var copy = operation
            copy.parameters = parameters.map { name, schema in
                .init(name, in: .query, schema, isRequired: name == "client_id")
            }
            described = copy
        }
        return
            described
            .answering(200, "A form that posts the answer to the client.", .page)
            .answering(303, "On to a page, or to the client.", fields: [location])
            .answering(400, "A page: who asks, or where the answer goes, is not known.", .page)
            .answering(503, busy, .page)
    }

    private static let parameters: [(name: String, schema: Schema)] = [
        ("client_id", .string()), ("response_type", .string()), ("redirect_uri", .url()), ("scope", .string()),
        ("state", .string()), ("response_mode", .string("Such as `query`, `fragment` or `form_post`.")),
        ("code_challenge", .string("RFC 7636.")), ("code_challenge_method", .string()), ("nonce", .string()),
        ("prompt", .string()), ("max_age", .integer(minimum: 0)), ("display", .string()), ("ui_locales", .string()),
        ("claims", .string("OpenID Connect Core section 5.5, in JSON.")), ("claims_locales", .string()),
        ("id_token_hint", .string()), ("login_hint", .string()), ("acr_values", .string()),
        ("request", .string("RFC 9101.")), ("request_uri", .string("RFC 9101, RFC 9126.")),
        ("resource", .array(of: .url(), "RFC 8707; may be repeated.")), ("dpop_jkt", .string("RFC 9449 section 10.")),
    ]

    /// RFC 9126.
    static let pushedRequest = OperationDescription(
        "pushRequest", tag: "Authorization", "Send an authorization request ahead (RFC 9126)."
    ).taking(.form(.object(parameters + clientParameters.dropFirst(), isOpen: true)))
        .answering(
            201, "Section 2.2.",
            .json(
                .object(
                    [("request_uri", .string()), ("expires_in", .integer(minimum: 1))],
                    required: ["request_uri", "expires_in"]))
        ).refusing((400, "Section 2.3."), invalidClient, tooOften)
        .secured(by: OpenAPIDocument.basic)

    /// OpenID Connect RP-Initiated Logout section 2.
    static let logout: Operations = { method in
        let parameters: [(name: String, schema: Schema)] = [
            ("id_token_hint", .string()), ("logout_hint", .string()), ("client_id", .string()),
            ("post_logout_redirect_uri", .url()), ("state", .string()), ("ui_locales", .string()),
        ]
        var operation = OperationDescription(
            "\(method.rawValue)Logout", tag: "Authorization", "Log out (OpenID Connect RP-Initiated Logout).")
        if method == .get {
            operation.parameters = parameters.map { .init($0.name, in: .query, $0.schema) }
        } else {
            operation = operation.taking(.form(.object(parameters, isOpen: true)), isRequired: false)
        }
        if method == .post { operation = operation.answering(403, "A page: \(foreign)", .page) }
        return operation.answering(200, "A page.", .page)
            .answering(303, "Back to the client.", fields: [location]).answering(400, wrong, .page)
            .answering(503, busy, .page)
    }
}
