import OAuth
import Primitives
import Synchronization

/// The clients that a provider knows: those of the configuration, those that registered themselves, those that a test
/// put there.
package final class ClientRegistry: Sendable {
    private struct Contents {
        var byID: [ExactText: Client] = [:]
        /// In the order in which they came.
        var order: [Client] = []
        /// See ``Client/stay``.
        var lastStay = 0
        var hasLostSomebody = false

        mutating func beginStay() -> Int {
            lastStay += 1
            return lastStay
        }

        mutating func add(_ client: Client) throws(ProviderConfigurationError) -> Client {
            guard byID[ExactText(client.id)] == nil else { throw .clientGivenTwice(client.id) }
            guard order.count < ClientRegistry.maximumCount else { throw .tooManyClients }
            byID[ExactText(client.id)] = client
            order.append(client)
            lastStay = max(lastStay, client.stay)
            return client
        }
    }

    private let contents: Mutex<Contents>
    private let changes = Atomic<Int>(0)
    private let nobody = SharedSecret(Secret(randomByteCount: 32, from: SystemRandom()))

    /// Registrations beyond this number are refused: they come from outside, and memory does not.
    package static let maximumCount = 100_000

    package init(_ clients: [Client]) throws(ProviderConfigurationError) {
        var contents = Contents()
        let clients = clients.map { $0.staying(0) }
        for client in clients {
            guard contents.byID.updateValue(client, forKey: ExactText(client.id)) == nil else {
                throw .clientGivenTwice(client.id)
            }
        }
        contents.order = clients
        self.contents = Mutex(contents)
    }

    /// Grows whenever ``knownScopes`` may have changed.
    var version: Int { changes.load(ordering: .acquiring) }

    private func noteChange(of client: Client) {
        if client.origin == .configured { changes.add(1, ordering: .releasing) }
    }

    package subscript(id: String) -> Client? { contents.withLock { $0.byID[ExactText(id)] } }

    package var clients: [Client] { contents.withLock { $0.order } }

    /// Adds a client, unless there is one of that name. The client in its stay.
    @discardableResult
    package func add(_ client: Client) throws(ProviderConfigurationError) -> Client {
        let added = try contents.withLock { contents throws(ProviderConfigurationError) in
            // One that is taken as it comes is there again in the next run, in the same stay, as long as none was removed.
            let isFirst = client.origin == .assumed && !contents.hasLostSomebody
            return try contents.add(client.staying(isFirst ? 0 : contents.lastStay + 1))
        }
        noteChange(of: client)
        return added
    }

    /// The numbers of those that were configured, by their names, and the last that was given. Of those that registered
    /// themselves their registration is kept.
    var stays: (numbers: [(String, Int)], last: Int) {
        contents.withLock { contents in
            (contents.order.filter { $0.origin == .configured }.map { ($0.id, $0.stay) }, contents.lastStay)
        }
    }

    /// Goes on with the stays of an earlier run. Whoever is here and was not there begins another.
    func resume(_ records: [StayRecord], after last: Int) {
        contents.withLock { contents in
            contents.lastStay = last
            let numbers = Dictionary(records.map { (ExactText($0.id), $0.number) }, uniquingKeysWith: { $1 })
            contents.order = contents.order.map { client in
                client.staying(numbers[ExactText(client.id)] ?? contents.beginStay(), revision: client.revision)
            }
            for client in contents.order { contents.byID[ExactText(client.id)] = client }
        }
    }

    /// Adds a client that was there in an earlier run, in the stay that it was in.
    func restore(_ client: Client) throws(ProviderConfigurationError) {
        try contents.withLock { contents throws(ProviderConfigurationError) in _ = try contents.add(client) }
    }

    /// Puts `client` in the place of the one of its name, or adds it; says whether there was none.
    @discardableResult
    package func put(_ client: Client) throws(ProviderConfigurationError) -> Bool {
        let isNew = try contents.withLock { contents throws(ProviderConfigurationError) -> Bool in
            let former = contents.byID[ExactText(client.id)]
            let isNew = former == nil
            if isNew {
                guard contents.order.count < Self.maximumCount else { throw .tooManyClients }
            } else {
                contents.order.removeAll { sameText($0.id, client.id) }
            }
            let client = client.staying(former?.stay ?? contents.beginStay())
            contents.byID[ExactText(client.id)] = client
            contents.order.append(client)
            return isNew
        }
        changes.add(1, ordering: .releasing)
        return isNew
    }

    /// Replaces exactly `former`: `nil` when somebody was faster. The client in the stay of the former.
    package func replace(_ former: Client, by client: Client) -> Client? {
        precondition(sameText(former.id, client.id), "a client keeps its name")
        return contents.withLock { contents in
            guard let index = contents.order.firstIndex(where: { $0 === former }) else { return nil }
            let client = client.staying(former.stay, revision: former.revision + 1)
            contents.byID[ExactText(client.id)] = client
            contents.order[index] = client
            noteChange(of: former)
            return client
        }
    }

    /// The client that was there. What hangs on it is ended by `SessionDirectory.forget(users:clients:)`.
    @discardableResult
    package func remove(_ id: String) -> Client? {
        contents.withLock { contents in
            guard let client = contents.byID.removeValue(forKey: ExactText(id)) else { return nil }
            contents.hasLostSomebody = true
            contents.order.removeAll { $0 === client }
            noteChange(of: client)
            return client
        }
    }

    /// Puts these in the place of all. Each name is there once.
    func replaceAll(by clients: [Client]) {
        contents.withLock { contents in
            contents.hasLostSomebody = true
            let stay = contents.beginStay()
            contents.order = clients.map { $0.staying(stay) }
            contents.byID = [:]
            for client in contents.order { contents.byID[ExactText(client.id)] = client }
        }
        changes.add(1, ordering: .releasing)
    }

    /// Whether a client has this secret. The work is the same for one that is not there, so that nobody learns from the time
    /// it takes which clients are.
    func isProven(_ client: Client?, by presented: Secret) -> Bool {
        let isProven = (client?.secret ?? nobody).matches(presented)
        return isProven && client?.secret != nil
    }

    /// Every scope that some client may name, as far as that is known. What strangers have registered is theirs.
    var knownScopes: [String] {
        var known: [String] = []
        for client in clients where client.origin == .configured {
            guard case .listed(let scope) = client.metadata.scopes else { continue }
            for token in scope.tokens where !known.contains(token) { known.append(token) }
        }
        return known
    }
}
