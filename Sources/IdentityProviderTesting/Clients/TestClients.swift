import IdentityProvider
import OAuth
import Primitives

/// The clients of a provider.
///
///     try await idp.clients.add(.publicApp("app", redirectURI: "http://127.0.0.1/callback"))
///     let ids = idp.clients.ids                       // web, native, service, app
///     try await idp.clients.remove("app")
public struct TestClients: Sendable {
    let context: ProviderContext

    /// The identifiers, in the order in which the clients came.
    public var ids: [String] { context.clients.clients.map(\.id) }

    /// What is registered of a client, by the names of RFC 7591 section 2, without secrets; `nil`: there is none.
    ///
    ///     let grants = idp.clients.metadata(of: "web")?["grant_types"]?.array
    public func metadata(of id: String) -> [String: JSONValue]? {
        context.clients[id].map { [String: JSONValue]($0.controlJSON.object ?? [:]) }
    }

    /// Adds a client, or puts it in the place of the one with its identifier.
    ///
    ///     try await idp.clients.add(.confidential("backend", secret: "s3cret"))
    public func add(_ client: TestClient) async throws(IdentityProviderTestingError) {
        let made = try client.client(legacy: context.configuration.legacy)
        do {
            try await context.prepareKeys(for: made.algorithms)
            try context.clients.put(made)
        } catch {
            throw IdentityProviderTestingError(.badClient, "\(error)")
        }
    }

    /// Removes a client, and ends what it was authorised to; `false` when there is none of the identifier.
    ///
    ///     let wasThere = try await idp.clients.remove("native")
    @discardableResult
    public func remove(_ id: String) async throws(IdentityProviderTestingError) -> Bool {
        guard context.clients.remove(id) != nil else { return false }
        try await context.forget(clients: [id])
        return true
    }
}

extension ProviderContext {
    /// Ends whatever hung on those who are not there any more.
    func forget(users: Set<String> = [], clients: Set<String> = []) async throws(IdentityProviderTestingError) {
        do throws(OAuthError) {
            try await SessionDirectory(context: self).forget(users: users, clients: clients)
        } catch {
            throw IdentityProviderTestingError(.refused, error.description)
        }
    }
}
