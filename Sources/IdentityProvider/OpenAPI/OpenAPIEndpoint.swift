import HTTPMessages
import OAuth
import Primitives
import Synchronization

/// Publishes the OpenAPI document of the provider: what can be asked of it, with every schema.
///
/// It is made when somebody first asks for it under some name of the provider, and kept until what it says changes.
struct OpenAPIEndpoint: Endpoint {
    static let location = "/openapi.json"

    let path = OpenAPIEndpoint.location
    let methods: [HTTPRequest.Method] = [.get]
    let isPublic = true
    private let version: @Sendable () -> Int
    private let describe: @Sendable (inout OpenAPIDocument) -> Void
    private let kept = Kept()

    private struct Documents: Sendable {
        /// What was true of the provider when these were made.
        var version: Int
        /// By the few names that a provider goes by.
        var byIssuer = BoundedCache<String, CacheableDocument>(maximumCount: 8)
    }

    private final class Kept: Sendable {
        let documents = Mutex(Documents(version: 0))
    }

    /// - Parameter version: grows whenever `describe` would say something else.
    init(
        version: @escaping @Sendable () -> Int,
        describedBy describe: @escaping @Sendable (inout OpenAPIDocument) -> Void
    ) {
        self.version = version
        self.describe = describe
    }

    func respond(to request: ServerRequest, as issuer: PreparedIssuer) async -> ServerResponse {
        document(for: issuer.issuer).response(to: request)
    }

    private func document(for issuer: Issuer) -> CacheableDocument {
        // Read before anything is described: what is made meanwhile from older facts is not taken for newer.
        let version = version()
        let known = kept.documents.withLock { $0.version == version ? $0.byIssuer[issuer.identifier] : nil }
        if let known { return known }
        var document = OpenAPIDocument(issuer: issuer)
        describe(&document)
        let made = CacheableDocument(json: document.json, maximumAge: DiscoveryEndpoint.maximumAge)
        kept.documents.withLock { documents in
            if documents.version < version { documents = Documents(version: version) }
            if documents.version == version { documents.byIssuer.insert(made, for: issuer.identifier) }
        }
        return made
    }

    func advertise(in metadata: inout ServerMetadata) {}

    func describe(in document: inout OpenAPIDocument) {
        document.add(
            .get, path,
            OperationDescription("getOpenAPI", tag: "Documents", "This document.")
                .answeringDocument("OpenAPI 3.1.", .anyObject()))
    }
}
