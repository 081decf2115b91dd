import OAuth
import Primitives

extension ProviderContext {
    /// The client of this name. Where any client is taken as it comes, there is one of every name.
    package func client(_ id: String) -> Client? {
        let legacy = configuration.legacy
        if let client = clients[id] {
            guard client.origin == .assumed, let new = client.assumed(anewWith: legacy) else { return client }
            _ = clients.replace(client, by: new)
            return clients[id]
        }
        guard configuration.allowances.contains(.anyClient), let client = try? Client.assumed(id, with: legacy) else {
            return nil
        }
        // Of two requests that come at once, one makes it, and both get the same.
        _ = try? clients.add(client)
        return clients[id]
    }

    /// What becomes of the refresh tokens of a client.
    package func rotation(for client: Client) -> RotationPolicy {
        client.metadata.rotation ?? configuration.rotation
    }

    /// Whether a refresh of the client's ends the access token that came with the one before. Asked for alone, for it is asked
    /// with every token, and the rules as a whole are large.
    func endsPairedAccessToken(of client: Client) -> Bool {
        client.metadata.rotation?.endsPairedAccessToken ?? configuration.rotation.endsPairedAccessToken
    }

    /// The client that proves itself by a secret. One that was taken as it came has every secret.
    func client(
        _ id: String, provenBy secret: Secret, in request: ClientRequest
    ) throws(OAuthError) -> Client? {
        try secretThrottle.check(id, in: request, of: self)
        let client = client(id)
        if let client, client.origin == .assumed { return client }
        guard clients.isProven(client, by: secret) else {
            secretThrottle.countFailure(id, in: request, of: self)
            return nil
        }
        return client
    }
}

extension Client {
    /// A client that nobody registered, and that may do everything that the provider does; of the old things what `legacy`
    /// names. Without PKCE, as every client that could have a secret may: nobody can know what this one is.
    static func assumed(_ id: String, with legacy: Set<LegacyFeature>) throws(ProviderConfigurationError) -> Client {
        var metadata = ClientMetadata()
        metadata.grants = StandardClients.everyGrant(with: legacy)
        metadata.responseTypes = StandardClients.everyResponseType(with: legacy)
        metadata.requiresPKCE = false
        return try Client(id: id, secret: nil, metadata: metadata, origin: .assumed)
    }

    /// What has to stand in the place of one that was assumed while other old things were on; `nil`: it is right.
    fileprivate func assumed(anewWith legacy: Set<LegacyFeature>) -> Client? {
        guard
            metadata.grants != StandardClients.everyGrant(with: legacy)
                || metadata.responseTypes != StandardClients.everyResponseType(with: legacy)
        else { return nil }
        return try? Client.assumed(id, with: legacy)
    }
}
