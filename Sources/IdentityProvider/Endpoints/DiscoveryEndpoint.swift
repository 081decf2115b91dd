import HTTPMessages
import OAuth

/// Tells clients where everything is and what works: RFC 8414 section 3, OpenID Connect Discovery section 4.
struct DiscoveryEndpoint: Endpoint {
    let path = "/.well-known/openid-configuration"
    let methods: [HTTPRequest.Method] = [.get]
    let isPublic = true

    /// How long clients may keep the document. Short, because configurations change under test.
    static let maximumAge = Duration.seconds(300)

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        issuer.metadata.response(to: request)
    }

    func advertise(in metadata: inout ServerMetadata) {}
}
