import HTTPMessages
import OAuth
import Primitives

/// Publishes the keys that verify this provider's tokens (RFC 7517 section 5, `jwks_uri` of RFC 8414).
///
/// As `application/json`, which every client takes; some refuse the more exact `application/jwk-set+json`.
struct KeySetEndpoint: Endpoint {
    let path = "/jwks.json"
    let methods: [HTTPRequest.Method] = [.get]
    let isPublic = true
    let keyRing: KeyRing
    let clock: any WallClock

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        keyRing.published(at: clock.now()).response(to: request)
    }

    func advertise(in metadata: inout ServerMetadata) {
        metadata[.keySetURI] = .string(metadata.issuer.url(of: path))
    }
}
