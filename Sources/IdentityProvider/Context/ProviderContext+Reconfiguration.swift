import OAuth
import Primitives

extension ProviderContext {
    /// Puts another configuration in the place of the one that holds, and of the one that a reset goes back to: for a file
    /// that was read again.
    ///
    /// Users and clients of the former one that are gone from the new one go, and with them whatever they were given or had
    /// authorised: it stays dead when they come back. Those who came otherwise stay. The issuer, who may read answers
    /// across origins, who may use the control API and how much it remembers, and the port for client certificates stay as
    /// the provider was made with.
    package func reconfigure(to new: ProviderConfiguration) async throws {
        try new.check()
        // What is wrong with it is found before anything changes, but that there is no room beside those who came otherwise.
        _ = try ClientRegistry(new.clients)
        _ = try UserDirectory(new.users)
        try await prepareKeys(for: new.algorithms)
        let former = configuration
        try configure(forGood: true) { configuration in
            let made = configuration
            configuration = new
            configuration.issuer = made.issuer
            configuration.crossOrigin = made.crossOrigin
            configuration.outboundAuthorities = made.outboundAuthorities
            configuration.control = made.control
            configuration.recordedRequests = made.recordedRequests
            configuration.mutualTLSPort = made.mutualTLSPort
            configuration.ordinaryEntrance = made.ordinaryEntrance
        }
        let (usersBefore, clientsBefore) = (users.users.map(\.id), clients.clients.map(\.id))
        var failure: ProviderConfigurationError?
        do { try replacePeople(of: former, by: new) } catch { failure = error }
        // Whoever has gone has gone, also when something failed after that.
        try await SessionDirectory(context: self).forget(
            users: Set(usersBefore.filter { users[id: $0] == nil }),
            clients: Set(clientsBefore.filter { clients[$0] == nil }))
        try await keepStays()
        if let failure { throw failure }
    }

    private func replacePeople(
        of former: ProviderConfiguration, by new: ProviderConfiguration
    ) throws(ProviderConfigurationError) {
        let userIDs = Set(new.users.map { ExactText($0.id) })
        for user in former.users where !userIDs.contains(ExactText(user.id)) { users.remove(id: user.id) }
        let clientIDs = Set(new.clients.map { ExactText($0.id) })
        for client in former.clients where !clientIDs.contains(ExactText(client.id)) { clients.remove(client.id) }
        try users.putAll(new.users)
        for client in new.clients { try clients.put(client) }
    }
}
