import OAuth
import Primitives

/// The clients that the provider knows.
package struct ClientRegistry: Sendable {
    private let byID: [String: Client]
    /// In the order in which they were given.
    package let clients: [Client]
    private let nobody = ClientSecret(Secret(randomByteCount: 32, from: SystemRandom()))

    package init(_ clients: [Client]) throws(ProviderConfigurationError) {
        var byID: [String: Client] = [:]
        for client in clients {
            guard byID.updateValue(client, forKey: client.id) == nil else { throw .clientGivenTwice(client.id) }
        }
        self.byID = byID
        self.clients = clients
    }

    package subscript(id: String) -> Client? { byID[id] }

    /// The client that proves itself by a secret; `nil` when it does not. The work is the same for a client that is not
    /// there, so that nobody learns from the time it takes which clients are.
    func client(_ id: String, provenBy presented: Secret) -> Client? {
        let client = byID[id]
        let isProven = (client?.secret ?? nobody).matches(presented)
        return isProven ? client : nil
    }

    /// Every scope that some client may name, as far as that is known.
    var knownScopes: [String] {
        var known: [String] = []
        for client in clients {
            guard case .listed(let scope) = client.scopes else { continue }
            for token in scope.tokens where !known.contains(token) { known.append(token) }
        }
        return known
    }
}
