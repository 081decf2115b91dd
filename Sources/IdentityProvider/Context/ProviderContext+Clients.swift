import OAuth
import Primitives

extension ProviderContext {
    /// The client of this name. Where any client is taken as it comes, there is one of every name.
    package func client(_ id: String) -> Client? {
        if let client = clients[id] { return client }
        guard configuration.allowances.contains(.anyClient), let client = try? Client.assumed(id) else { return nil }
        // Of two requests that come at once, one makes it, and both get the same.
        try? clients.add(client)
        return clients[id]
    }

    /// The client that proves itself by a secret. One that was taken as it came has every secret.
    func client(
        _ id: String, provenBy secret: Secret, from peer: String, at now: Timestamp
    ) throws(OAuthError) -> Client? {
        try secretThrottle.check(id, in: clients[id]?.stay, from: peer, at: now)
        if let client = client(id), client.origin == .assumed { return client }
        let client = clients.client(id, provenBy: secret)
        if client == nil { secretThrottle.countFailure(id, in: clients[id]?.stay, from: peer, at: now) }
        return client
    }
}

extension Client {
    /// A client that nobody registered, and that may do everything, old things included.
    static func assumed(_ id: String) throws(ProviderConfigurationError) -> Client {
        let legacy = Set(LegacyFeature.allCases)
        var metadata = ClientMetadata()
        metadata.grants = StandardClients.everyGrant(with: legacy)
        metadata.responseTypes = StandardClients.everyResponseType(with: legacy)
        metadata.requiresPKCE = false
        return try Client(id: id, secret: nil, metadata: metadata, origin: .assumed)
    }
}
