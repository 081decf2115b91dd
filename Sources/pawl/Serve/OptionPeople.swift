import IdentityProvider
import Primitives

/// Users and clients that options name. They join those of a configuration file, and are there in the place of the
/// standard ones.
struct OptionPeople: Sendable {
    let users: [User]
    let clients: [Client]

    func adjust(_ configuration: inout ProviderConfiguration, over document: JSONObject) {
        if !users.isEmpty {
            if !document.contains("users"), document["standard_users"] != true { configuration.users = [] }
            // Of two users with one name, the option counts.
            configuration.users.removeAll { user in
                users.contains { sameText($0.username, user.username) || sameText($0.id, user.id) }
            }
            configuration.users += users
        }
        if !clients.isEmpty {
            if !document.contains("clients"), document["standard_clients"] != true { configuration.clients = [] }
            configuration.clients.removeAll { client in clients.contains { sameText($0.id, client.id) } }
            configuration.clients += clients.map { $0.withoutOldThings(but: configuration.legacy) }
        }
    }
}

extension Client {
    /// What RFC 9700 advises against has to be asked for by name; a client of one's own is no way around that.
    fileprivate func withoutOldThings(but legacy: Set<LegacyFeature>) -> Client {
        var metadata = metadata
        metadata.grants.formIntersection(StandardClients.everyGrant(with: legacy))
        metadata.responseTypes.formIntersection(StandardClients.everyResponseType(with: legacy))
        do throws(ProviderConfigurationError) {
            return try Client(id: id, secret: secret?.value, metadata: metadata, origin: origin)
        } catch {
            preconditionFailure("a client that may do less is none: \(error)")
        }
    }
}
