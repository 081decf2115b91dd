import OAuth

/// An issuer, the documents that hold its name, and what its cookies are called, made once.
final class PreparedIssuer: Sendable {
    let issuer: Issuer
    let metadata: CacheableDocument
    let cookies: BrowserCookies

    init(_ issuer: Issuer, describedBy describe: (inout ServerMetadata) -> Void) {
        var metadata = ServerMetadata(issuer: issuer)
        describe(&metadata)
        self.issuer = issuer
        cookies = BrowserCookies(for: issuer)
        self.metadata = CacheableDocument(json: metadata.json, maximumAge: DiscoveryEndpoint.maximumAge)
    }

    /// The issuer's URL, as tokens carry it.
    var identifier: String { issuer.identifier }
}
