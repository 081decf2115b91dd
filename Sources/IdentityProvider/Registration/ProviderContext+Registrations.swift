import Crypto
import OAuth
import Observability
import Primitives

/// What registered itself is there after a restart, where the store is.
extension ProviderContext {
    /// Keeps a client that has just registered. Should that fail, it was never there.
    func keepRegistration(of client: Client) async throws(OAuthError) {
        guard let registration = client.registration else { return }
        do throws(OAuthError) {
            try await storing { store throws(StoreError) in try await store.keep(registration) }
        } catch {
            clients.remove(client.id)
            throw error
        }
        // Whoever removed it meanwhile may have been here before there was anything to remove.
        guard clients[client.id] == nil else { return }
        try await storing { store throws(StoreError) in try await store.removeRegistration(of: client.id) }
    }

    /// Keeps what a client has changed. Should that fail it holds until the end of the process, and nobody was told.
    func updateRegistration(of client: Client) async throws(OAuthError) {
        guard let registration = client.registration else { return }
        try await storing { store throws(StoreError) in try await store.update(registration) }
    }

    /// Takes up what was registered in earlier runs. For a provider that is about to begin.
    func restoreRegistrations() async throws {
        for registration in try await store.registrations() {
            do {
                let client = try client(of: registration)
                try await prepareKeys(for: client.algorithms)
                try clients.restore(client)
            } catch {
                // Others must not wait for it; and it stays where it is, for a provider that can take it up.
                logger.warning(
                    "client.not_restored",
                    [LogField("client", registration.clientID), LogField("cause", "\(error)")])
            }
        }
    }

    private func client(of registration: Registration) throws -> Client {
        // What was allowed when it registered is not asked again.
        let rules = ClientMetadataRules(.registration, legacy: Set(LegacyFeature.allCases), redirects: .any)
        let metadata = try ClientMetadata(json: registration.metadata, by: rules)
        let client = try Client(
            id: registration.clientID,
            secret: metadata.needsSecret
                ? clientSecret(of: registration.clientID, number: registration.secretNumber) : nil,
            metadata: metadata,
            origin: .registered(
                accessTokenDigest: registration.accessTokenDigest, at: registration.registered,
                secretNumber: registration.secretNumber))
        return client.staying(registration.stay, revision: registration.revision)
    }

    /// A secret of a client that registers itself. It follows from the client's name, so that it need not be kept: whoever
    /// reads the store learns none. As many characters as the longest hash has bytes (RFC 7518 section 3.2: HS512 takes 64).
    ///
    /// - Parameter number: another for each time that the client comes to need one.
    func clientSecret(of id: String, number: Int) -> Secret {
        let code = HMAC(.sha384, key: secrets.derived(for: "client secrets"))
            .authenticate(Array("\(number) \(id)".utf8).span)
        return Secret(utf8: Base64URL.encode(code))
    }
}

extension Client {
    /// What is kept of it; `nil`: it did not register itself.
    fileprivate var registration: Registration? {
        guard case .registered(let digest, let moment, let secretNumber) = origin else { return nil }
        var members = metadata.json
        for member in ClientMetadataMember.all where member.isOperators { members[member.name] = nil }
        return Registration(
            clientID: id, stay: stay, revision: revision, secretNumber: secretNumber, accessTokenDigest: digest,
            registered: moment, metadata: members)
    }
}
