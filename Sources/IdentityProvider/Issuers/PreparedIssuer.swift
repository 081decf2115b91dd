import OAuth

/// An issuer and the documents that hold its name, made once.
final class PreparedIssuer: Sendable {
    let issuer: Issuer
    let metadata: CacheableDocument

    init(_ issuer: Issuer, describedBy describe: (inout ServerMetadata) -> Void) {
        var metadata = ServerMetadata(issuer: issuer)
        describe(&metadata)
        self.issuer = issuer
        self.metadata = CacheableDocument(json: metadata.json, maximumAge: DiscoveryEndpoint.maximumAge)
    }

    /// The issuer's URL, as tokens carry it.
    var identifier: String { issuer.identifier }
}
