import HTTPMessages
import OAuth

/// One URL of the provider. To add one: a type of this kind, and a line where `IdentityProvider` is composed.
protocol Endpoint: Sendable {
    /// Below the issuer's own path, beginning with a slash.
    var path: String { get }
    /// The methods that it answers. `HEAD` comes with `GET`, and `OPTIONS` with everything.
    var methods: [HTTPRequest.Method] { get }

    /// Whether its answers hold nothing but what everybody may know, so that every page may read them.
    var isPublic: Bool { get }

    /// Whether browsers go there, and no application of another origin reads what is there: RFC 9700 section 2.6, the
    /// authorization endpoint MUST NOT support CORS.
    var isForPeople: Bool { get }

    /// Lets a page read the answer to its request, whoever has made the answer.
    func admitReader(of response: inout ServerResponse, to request: ServerRequest, by policy: CrossOrigin)

    /// Answers a request whose method is one of its own; to `HEAD` as to `GET`, the server leaves out the content.
    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse

    /// Says in the metadata what this endpoint makes possible.
    func advertise(in metadata: inout ServerMetadata)

    /// Says in the OpenAPI document what can be asked here.
    func describe(in document: inout OpenAPIDocument)
}

extension Endpoint {
    /// What the standards say of an endpoint at this path.
    func describe(in document: inout OpenAPIDocument) {
        EndpointDescriptions.describe(path, methods, in: &document)
    }
}

extension Endpoint {
    /// By the policy of the provider.
    func admitReader(of response: inout ServerResponse, to request: ServerRequest, by policy: CrossOrigin) {
        policy.admitReader(of: &response, to: request)
    }
}

extension Endpoint {
    var isForPeople: Bool { false }
}
