import JOSE
import OAuth
import Primitives

/// Finds out which client is asking.
struct ClientAuthenticator: Sendable {
    let context: ProviderContext
    let methods: [any ClientAuthenticationMethod]
    /// Whether the word of a public client is enough.
    private(set) var takesPublicClients = true

    init(context: ProviderContext, methods: [any ClientAuthenticationMethod]) {
        self.context = context
        self.methods = methods
    }

    /// For an endpoint that answers nobody who has not proven who he is. A client that was taken as it came is believed there
    /// as everywhere.
    var withoutPublicClients: Self {
        var copy = self
        copy.takesPublicClients = false
        return copy
    }

    /// The client that the request proves.
    func authenticate(_ request: ClientRequest) async throws(OAuthError) -> Client {
        let method = try method(of: request)
        guard takesPublicClients || !(method is PublicClient) || isAssumed(request.form["client_id"]) else {
            throw OAuthError(
                .invalidClient,
                "a client_id alone proves nothing, and this endpoint wants proof; ask as a client that authenticates, by \(offer)",
                cause: "client did not authenticate")
        }
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
        var used: Int?
        // By the index, for an iterator would take hold of each method that it passes.
        for index in methods.indices where methods[index].isUsed(by: request, in: context) {
            // RFC 6749 section 2.3: no more than one authentication method in each request.
            guard used == nil else {
                throw OAuthError(.invalidRequest, "the client authenticated in more than one way; one is enough")
            }
            used = index
        }
        if let used { return methods[used] }
        throw OAuthError(
            .invalidClient,
            request.authorization == nil
                ? "no client authentication; this endpoint takes \(offer)"
                : "unknown scheme in the Authorization header; this endpoint takes \(offer)")
    }

    private func isAssumed(_ id: String?) -> Bool { id.flatMap { context.client($0) }?.origin == .assumed }

    private var offeredMethods: [any ClientAuthenticationMethod] {
        methods.filter { $0.isOffered(in: context) && (takesPublicClients || !($0 is PublicClient)) }
    }

    private var offer: String { offeredMethods.map(\.name).joined(separator: ", ") }

    /// Says in the metadata what an endpoint takes that authenticates clients, and the algorithms beside it (RFC 8414
    /// section 2).
    func advertise(in metadata: inout ServerMetadata, as member: ServerMetadata.Member) {
        let asksForCertificates = context.configuration.asksForCertificates(of: metadata.issuer)
        for method in offeredMethods where asksForCertificates || !method.needsCertificate {
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
