extension DiscoveryEndpoint {
    /// The same document under the names of both standards.
    func describe(in document: inout OpenAPIDocument) {
        document.add(.get, path, EndpointDescriptions.discovery("getMetadata", "OpenID Connect Discovery section 4"))
        document.add(
            .get, "/.well-known/oauth-authorization-server",
            EndpointDescriptions.discovery("getServerMetadata", "RFC 8414 section 3"))
    }
}
