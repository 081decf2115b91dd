import HTTPMessages
import OAuth
import Primitives
import Synchronization

/// Publishes the OpenAPI document of the provider: what can be asked of it, with every schema.
///
/// It is made when somebody first asks for it under some name of the provider, and kept.
struct OpenAPIEndpoint: Endpoint {
    static let location = "/openapi.json"

    let path = OpenAPIEndpoint.location
    let methods: [HTTPRequest.Method] = [.get]
    let isPublic = true
    private let describe: @Sendable (inout OpenAPIDocument) -> Void
    private let kept = Kept()

    /// The few names that a provider goes by.
    private final class Kept: Sendable {
        let documents = Mutex(BoundedCache<String, CacheableDocument>(maximumCount: 8))
    }

    init(describedBy describe: @escaping @Sendable (inout OpenAPIDocument) -> Void) {
        self.describe = describe
    }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        document(for: issuer.issuer).response(to: request)
    }

    private func document(for issuer: Issuer) -> CacheableDocument {
        if let known = kept.documents.withLock({ $0[issuer.identifier] }) { return known }
        var document = OpenAPIDocument(issuer: issuer)
        describe(&document)
        let made = CacheableDocument(json: document.json, maximumAge: DiscoveryEndpoint.maximumAge)
        kept.documents.withLock { $0.insert(made, for: issuer.identifier) }
        return made
    }

    func advertise(in metadata: inout ServerMetadata) {}

    func describe(in document: inout OpenAPIDocument) {
        document.add(
            .get, path,
            OperationDescription("getOpenAPI", tag: "Documents", "This document.")
                .answering(200, "OpenAPI 3.1.", .json(.anyObject())))
    }
}
