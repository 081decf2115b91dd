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
            configuration.clients += clients
        }
    }
}
