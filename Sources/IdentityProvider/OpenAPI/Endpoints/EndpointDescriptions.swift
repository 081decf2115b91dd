import HTTPMessages

/// What the standards say of the endpoints, by where this provider has them. An endpoint that says more of itself than its
/// path describes itself instead.
enum EndpointDescriptions {
    typealias Operations = @Sendable (OpenAPIDocument.Method) -> OperationDescription?

    private static let table: [String: Operations] = [
        "/token": { $0 == .post ? token : nil },
        "/authorize": authorize,
        "/par": { $0 == .post ? pushedRequest : nil },
        "/device_authorization": { $0 == .post ? deviceAuthorization : nil },
        "/device": devicePage,
        "/introspect": { $0 == .post ? introspection : nil },
        "/revoke": { $0 == .post ? revocation : nil },
        "/register": { $0 == .post ? registration : registrationManagement($0) },
        "/userinfo": userInfo,
        "/logout": logout,
        "/jwks.json": { $0 == .get ? keys : nil },
        "/.well-known/openid-configuration": { $0 == .get ? discovery : nil },
    ]

    static func describe(_ path: String, _ methods: [HTTPRequest.Method], in document: inout OpenAPIDocument) {
        defineSchemas(in: &document)
        for method in methods {
            guard let method = OpenAPIDocument.Method(rawValue: method.rawValue.lowercased()) else { continue }
            document.add(method, path, table[path]?(method) ?? unknown(method, path))
        }
    }

    /// Better said with few words than not at all.
    private static func unknown(_ method: OpenAPIDocument.Method, _ path: String) -> OperationDescription {
        let name = path.split { !$0.isLetter && !$0.isNumber }.joined(separator: "_")
        return OperationDescription("\(method.rawValue)_\(name)", tag: "Pages", "A page, for people.")
            .answering(200, "The page.", .page).refusing((400, "Something is wrong with the request."))
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
