import OAuth
import Primitives

/// An issuer, the documents that hold its name, and what its cookies are called, made once.
final class PreparedIssuer: Sendable {
    let issuer: Issuer
    let metadata: CacheableDocument
    let cookies: BrowserCookies
    /// Endpoints by their URL, with what they are called where client certificates are asked for (RFC 8705 section 5).
    private let aliases: [String: String]

    /// - Parameters:
    ///   - isEncrypted: whether those who ask come through TLS.
    ///   - describe: says what is so.
    ///   - complete: says what is to be said besides, whether it is so or not.
    init(
        _ issuer: Issuer, isEncrypted: Bool, describedBy describe: (inout ServerMetadata) -> Void,
        completedBy complete: (inout ServerMetadata) -> Void
    ) {
        var metadata = ServerMetadata(issuer: issuer)
        describe(&metadata)
        self.issuer = issuer
        cookies = BrowserCookies(for: issuer, isEncrypted: isEncrypted)
        var aliases: [String: String] = [:]
        for (name, alias) in metadata[.mutualTLSEndpointAliases]?.object ?? [:] {
            if let url = metadata.json[name]?.string { aliases[url] = alias.string }
        }
        self.aliases = aliases
        // After the aliases, which decide by what names we go in assertions: not what a test has us say of them.
        complete(&metadata)
        self.metadata = CacheableDocument(json: metadata.json, maximumAge: DiscoveryEndpoint.maximumAge)
    }

    /// The URLs of an endpoint: its own, and that for client certificates if it has one.
    func urls(of path: String) -> [String] {
        let url = issuer.url(of: path)
        return [url] + (aliases[url].map { [$0] } ?? [])
    }

    /// The issuer's URL, as tokens carry it.
    var identifier: String { issuer.identifier }
}
