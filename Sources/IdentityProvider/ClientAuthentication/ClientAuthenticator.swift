import JOSE
import OAuth
import Primitives

/// Finds out which client is asking.
struct ClientAuthenticator: Sendable {
    let context: ProviderContext
    let methods: [any ClientAuthenticationMethod]

    /// The client that the request proves.
    func authenticate(_ request: ClientRequest) async throws(OAuthError) -> Client {
        let method = try method(of: request)
        let client = try await method.authenticate(request, in: context)
        // RFC 7591 section 2: a client that registered one method uses no other.
        if let registered = client.metadata.authenticationMethod, registered != method.name {
            throw OAuthError(
                .invalidClient, "this client is registered for \(registered)", cause: "client used \(method.name)")
        }
        // Beside another proof `client_id` is no proof itself, but it must not contradict it.
        if let named = request.form["client_id"], !sameText(named, client.id) {
            throw OAuthError(.invalidRequest, "client_id names another client than the one that authenticated")
        }
        return client
    }

    private func method(of request: ClientRequest) throws(OAuthError) -> any ClientAuthenticationMethod {
        var used: (any ClientAuthenticationMethod)?
        for method in methods where method.isUsed(by: request, in: context) {
            // RFC 6749 section 2.3: no more than one authentication method in each request.
            guard used == nil else {
                throw OAuthError(.invalidRequest, "the client authenticated in more than one way; one is enough")
            }
            used = method
        }
        if let used { return used }
        let offered = methods.filter { $0.isOffered(in: context) }.map(\.name).joined(separator: ", ")
        throw OAuthError(
            .invalidClient,
            request.authorization == nil
                ? "no client authentication; this provider takes \(offered)"
                : "unknown scheme in the Authorization header; this provider takes \(offered)")
    }

    /// Says in the metadata what an endpoint takes that authenticates clients, and the algorithms beside it (RFC 8414
    /// section 2).
    func advertise(in metadata: inout ServerMetadata, as member: ServerMetadata.Member) {
        for method in methods where method.isOffered(in: context) {
            metadata.append(method.name, to: member)
            guard let algorithms = member.signingAlgorithms else { continue }
            metadata.append(contentsOf: method.signingAlgorithms.map(\.name), to: algorithms)
        }
    }
}

extension ServerMetadata.Member {
    /// For a list of authentication methods, that of their algorithms.
    fileprivate var signingAlgorithms: Self? {
        switch self {
        case .tokenEndpointAuthenticationMethods: .tokenEndpointAuthenticationAlgorithms
        case .revocationEndpointAuthenticationMethods: .revocationEndpointAuthenticationAlgorithms
        case .introspectionEndpointAuthenticationMethods: .introspectionEndpointAuthenticationAlgorithms
        default: nil
        }
    }
}
