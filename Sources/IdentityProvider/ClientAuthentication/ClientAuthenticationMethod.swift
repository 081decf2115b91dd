import OAuth

/// One way in which a client proves who it is (RFC 6749 section 2.3).
protocol ClientAuthenticationMethod: Sendable {
    /// As `token_endpoint_auth_methods_supported` names it.
    var name: String { get }

    /// Whether the request tries to use this method, rightly or wrongly.
    func isUsed(by request: ClientRequest) -> Bool

    /// The client that the request proves; `invalid_client` when it proves none.
    func authenticate(_ request: ClientRequest, among clients: ClientRegistry) throws(OAuthError) -> Client
}

extension ClientAuthenticationMethod {
    func advertise(in metadata: inout ServerMetadata) {
        metadata.append(name, to: .tokenEndpointAuthenticationMethods)
    }
}
