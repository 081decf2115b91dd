import IdentityProvider
import OAuth
import Primitives

/// What the options of `serve` say about clients.
enum Clients {
    static func read(_ arguments: Arguments) throws(CommandFailure) -> [Client] {
        var confidential = arguments[ProviderOptions.client].map { (id: $0.id, secret: $0.secret, scope: $0.scope) }
        if let file = arguments[ProviderOptions.clientFile] { confidential += try readFile(file) }
        do throws(ProviderConfigurationError) {
            let standard = try StandardClients.all()
            var clients: [Client] = []
            for (id, secret, scope) in confidential {
                // It may do what the standard one may, within its scope, but for the old things, which `legacy` names.
                var metadata = standard.metadata(of: StandardClients.serviceID)
                metadata.scopes = scope.map { .listed($0) } ?? .any
                metadata.defaultScope = scope ?? .empty
                clients.append(try Client(id: id, secret: secret, metadata: metadata))
            }
            var publicIDs: [String] = []
            for text in arguments[ProviderOptions.publicClient]
            where !publicIDs.contains(where: { sameText($0, text.id) }) {
                publicIDs.append(text.id)
            }
            for id in publicIDs {
                var metadata = standard.metadata(of: "web")
                // Whose pages send passwords to the provider themselves has to be said in a file.
                metadata.cookieSession = nil
                let redirects = arguments[ProviderOptions.publicClient].filter { sameText($0.id, id) }
                    .compactMap(\.redirect)
                if !redirects.isEmpty {
                    metadata.redirectURIs = redirects
                    metadata.postLogoutRedirectURIs = redirects
                    if redirects.contains(where: { $0.kind == .privateUse }) { metadata.kind = .native }
                }
                clients.append(try Client(id: id, secret: nil, metadata: metadata))
            }
            _ = try ClientRegistry(clients)
            return clients
        } catch {
            throw .badInput(error.description)
        }
    }

    private static func readFile(_ file: String) throws(CommandFailure) -> [(id: String, secret: Secret, scope: Scope?)]
    {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try FileSystem.read(file) } catch { throw error.failure }
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: bytes.span) } catch { throw .badInput("\(file): \(error)") }
        guard let elements = json.array else { throw .badInput("\(file): not an array of clients") }
        var clients: [(id: String, secret: Secret, scope: Scope?)] = []
        for (index, element) in elements.enumerated() {
            let place = "\(file): [\(index)]"
            guard let object = element.object else { throw .badInput("\(place): not an object") }
            for (name, _) in object where !["client_id", "client_secret", "scope"].contains(name) {
                throw .badInput("\(place): unknown member \(name)")
            }
            guard let id = object["client_id"]?.string, let secret = object["client_secret"]?.string else {
                throw .badInput("\(place): client_id and client_secret are texts that must be there")
            }
            var scope: Scope?
            if let value = object["scope"] {
                guard let text = value.string, let parsed = try? Scope(parsing: text) else {
                    throw .badInput("\(place): scope is not a list of scopes with one space between two")
                }
                scope = parsed
            }
            clients.append((id, Secret(utf8: secret), scope))
        }
        guard !clients.isEmpty else { throw .badInput("\(file): no clients") }
        return clients
    }
}

extension [Client] {
    /// That of a standard client, without its name.
    fileprivate func metadata(of id: String) -> ClientMetadata {
        var metadata = first { sameText($0.id, id) }?.metadata ?? ClientMetadata()
        metadata.name = nil
        return metadata
    }
}
