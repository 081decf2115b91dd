import HTTPMessages

/// What the standards say of the endpoints, by where this provider has them. An endpoint that says more of itself than its
/// path describes itself instead.
enum EndpointDescriptions {
    typealias Operations = @Sendable (OpenAPIDocument.Method) -> OperationDescription?

    private static let table: [String: Operations] = [
        "/par": { $0 == .post ? pushedRequest : nil },
        "/device_authorization": { $0 == .post ? deviceAuthorization : nil },
        "/device": devicePage,
        "/introspect": { $0 == .post ? introspection : nil },
        "/revoke": { $0 == .post ? revocation : nil },
        "/register": { $0 == .post ? registration : registrationManagement($0) },
        "/userinfo": userInfo,
        "/logout": logout,
        "/": home,
        "/continue": continuation,
        "/login": interactionPage("Login", "The page where a user logs in.", isThrottled: true),
        "/select-account": interactionPage("Account", "The page where a user chooses one of his accounts."),
        "/consent": interactionPage("Consent", "The page where a user agrees to what a client asks for."),
        "/jwks.json": { $0 == .get ? keys : nil },
    ]

    static func describe(_ path: String, _ methods: [HTTPRequest.Method], in document: inout OpenAPIDocument) {
        describe(path, methods, in: &document) { table[path]?($0) ?? unknown($0, path) }
    }

    static func describe(
        _ path: String, _ methods: [HTTPRequest.Method], in document: inout OpenAPIDocument,
        as operation: (OpenAPIDocument.Method) -> OperationDescription
    ) {
        defineSchemas(in: &document)
        for method in methods {
            guard let method = OpenAPIDocument.Method(rawValue: method.rawValue.lowercased()) else { continue }
            document.add(method, path, operation(method))
        }
    }

    /// Better said with few words than not at all.
    private static func unknown(_ method: OpenAPIDocument.Method, _ path: String) -> OperationDescription {
        let name = path.split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
        return OperationDescription("\(method.rawValue)_\(name)", tag: "Pages", "A page, for people.")
            .answering(200, "The page.", .page).refusing((400, "Something is wrong with the request."))
            .answering(503, busy, .page)
    }

    private static func defineSchemas(in document: inout OpenAPIDocument) {
        document.define("TokenResponse", tokenResponse)
        document.define("ClientMetadata", clientMetadata)
        document.define("RegisteredClient", registeredClient)
    }

    /// A client proves itself by one of these, or by parameters in the body.
    static let clientParameters: [(name: String, schema: Schema)] = [
        ("client_id", .string()), ("client_secret", .string()),
        (
            "client_assertion_type",
            .string("RFC 7523.", oneOf: ["urn:ietf:params:oauth:client-assertion-type:jwt-bearer"])
        ),
        ("client_assertion", .string()),
    ]

    static let invalidClient = (401, "The client did not prove itself.")
    static let tooOften = (429, "Too many wrong secrets, or passwords; Retry-After says when to come again.")
}
