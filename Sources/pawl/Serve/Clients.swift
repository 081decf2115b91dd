import IdentityProvider
import OAuth
import Primitives

/// What the options of `serve` say about clients.
enum Clients {
    private static let grants: Set<String> = ["client_credentials"]

    static func read(_ arguments: Arguments) throws(CommandFailure) -> ClientRegistry {
        var given: [(id: String, secret: Secret, scope: Scope?)] = arguments[ProviderOptions.client].map {
            ($0.id, $0.secret, $0.scope)
        }
        if let file = arguments[ProviderOptions.clientFile] { given += try readFile(file) }
        do throws(ProviderConfigurationError) {
            guard !given.isEmpty else { return try .standard() }
            var clients: [Client] = []
            for (id, secret, scope) in given {
                clients.append(
                    try Client(
                        id: id, secret: secret, grants: grants, scopes: scope.map { .listed($0) } ?? .any,
                        defaultScope: scope ?? .empty))
            }
            return try ClientRegistry(clients)
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
