import OAuth
import Primitives

/// Finds out which client is asking.
struct ClientAuthenticator: Sendable {
    let clients: ClientRegistry
    let methods: [any ClientAuthenticationMethod]

    /// The client that the request proves.
    func authenticate(_ request: ClientRequest) throws(OAuthError) -> Client {
        let client = try method(of: request).authenticate(request, among: clients)
        // Beside another proof `client_id` is no proof itself, but it must not contradict it.
        if let named = request.form["client_id"], !sameText(named, client.id) {
            throw OAuthError(.invalidRequest, "client_id names another client than the one that authenticated")
        }
        return client
    }

    private func method(of request: ClientRequest) throws(OAuthError) -> any ClientAuthenticationMethod {
        var used: (any ClientAuthenticationMethod)?
        for method in methods where method.isUsed(by: request) {
            // RFC 6749 section 2.3: no more than one authentication method in each request.
            guard used == nil else {
                throw OAuthError(.invalidRequest, "the client authenticated in more than one way; one is enough")
            }
            used = method
        }
        if let used { return used }
        let offered = methods.map(\.name).joined(separator: ", ")
        throw OAuthError(
            .invalidClient,
            request.authorization == nil
                ? "no client authentication; this provider takes \(offered)"
                : "unknown scheme in the Authorization header; this provider takes \(offered)")
    }

    func advertise(in metadata: inout ServerMetadata) {
        for method in methods { method.advertise(in: &metadata) }
    }
}
