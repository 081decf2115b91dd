import OAuth
import Primitives

/// What a provider can be asked, for programs: OpenAPI 3.1. Each endpoint describes itself in it.
///
///     var document = OpenAPIDocument(issuer: issuer)
///     document.add(.get, "/jwks.json", OperationDescription("getKeys", tag: "Keys", "The keys"))
package struct OpenAPIDocument: Sendable {
    /// The methods that a Path Item Object has (OpenAPI 3.1 section 4.8.9).
    package enum Method: String, Sendable { case get, put, post, delete, patch }

    package let issuer: Issuer
    private var paths = JSONObject()
    private var schemas = JSONObject()
    private var tags: [String] = []

    package init(issuer: Issuer) {
        self.issuer = issuer
        define(
            "Error",
            .object(
                [
                    ("error", .string("A code that programs tell errors by.")),
                    ("error_description", .string("For the developer: what was wrong, and what would be right.")),
                    ("error_uri", .url()),
                    ("path", .string("Control API: the member of the body that is wrong.")),
                ], required: ["error"], "A refusal (RFC 6749 section 5.2)."))
    }

    /// Names a schema, so that others can refer to it.
    package mutating func define(_ name: String, _ schema: Schema) {
        schemas[name] = .object(schema.json)
    }

    /// - Parameter server: where the path is, unless it is below the issuer.
    package mutating func add(
        _ method: Method, _ path: String, _ operation: OperationDescription, server: String? = nil
    ) {
        var item = paths[path]?.object ?? [:]
        precondition(item[method.rawValue] == nil, "\(method) \(path) is described twice")
        item[method.rawValue] = Self.completed(operation, method, isBelowIssuer: server == nil).json
        if let server { item["servers"] = [["url": .string(server)]] }
        paths[path] = .object(item)
        if !tags.contains(operation.tag) { tags.append(operation.tag) }
    }

    /// What holds of every request: a body may be too long, be it one that nobody reads; the store may fail, be it that
    /// of the tenant, which is looked up first, and the server may have too much to do. Below the issuer, `Host` may
    /// name no host that could be it. Whoever finds that out makes no pages: such a refusal is JSON everywhere.
    private static func completed(
        _ operation: OperationDescription, _ method: Method, isBelowIssuer: Bool
    ) -> OperationDescription {
        var completed = operation
        if isBelowIssuer {
            completed = completed.refusing(also: 400, "Host names no host that could be the issuer.")
        }
        // RFC 9110 section 9.3.1: content means nothing in a GET, and a client should send none.
        if method != .get {
            completed = completed.refusing(also: 413, "The body is longer than the server reads.")
        }
        completed = completed.refusing(
            also: 503, "There is too much to do, or the store fails: try again in a moment.")
        completed.responses = completed.responses.map {
            $0.status == 503 ? $0.saying(EndpointDescriptions.retryAfter) : $0
        }
        return completed
    }

    /// Whether somebody has described it.
    package func describes(_ method: Method, _ path: String) -> Bool { paths[path]?[method.rawValue] != nil }

    package var json: JSON {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Pawl",
                "version": "1",
                "summary": "An OAuth 2.0 and OpenID Connect provider for tests and laptops.",
                "license": ["name": "Apache-2.0", "identifier": "Apache-2.0"],
            ],
            "servers": [["url": .string(issuer.url(of: ""))]],
            "tags": .array(tags.map { ["name": .string($0)] }),
            "paths": .object(paths),
            "components": ["schemas": .object(schemas), "securitySchemes": Self.securitySchemes],
        ]
    }

    /// How requests prove who sends them.
    package static let basic = "clientSecretBasic"
    package static let bearer = "accessToken"
    package static let control = "controlSecret"

    private static let securitySchemes: JSON = [
        basic: [
            "type": "http", "scheme": "basic",
            "description": "The client's identifier and secret, each form-encoded first (RFC 6749 section 2.3.1).",
        ],
        bearer: [
            "type": "http", "scheme": "bearer", "description": "An access token (RFC 6750 section 2.1).",
        ],
        control: [
            "type": "http", "scheme": "bearer",
            "description":
                "The control secret, where one is configured. Without one, the control API is for this machine.",
        ],
    ]
}
