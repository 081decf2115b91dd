import IdentityProvider
import JOSE
import Networking
import OAuth
import Primitives

/// The same for programs. Secrets are there only where they are those that everybody knows.
extension StartReport {
    var json: JSON {
        var object: JSONObject = [
            "version": .string(Version.current),
            "addresses": .array(addresses.map(Self.describe)),
            "algorithm": .string(keys.algorithm.name),
        ]
        object["control"] = .string(root.control.name)
        object["issuer"] = issuer.map { .string($0.identifier) } ?? .null
        object["keys"] = keys.store.map { .string($0.directory) } ?? .null
        object["data"] = data.map { .string($0) } ?? .null
        object["tls_authority"] = authority.map { .string($0.authorityPath) } ?? .null
        object["config"] = file.map { .string($0) } ?? .null
        object["outbound_ca"] = root.outboundAuthorities.map { .string($0) } ?? .null
        object["users"] = .array(root.users.map(Self.describe))
        object["clients"] = .array(root.clients.map(Self.describe))
        object["tenants"] = .array(settings.tenants.keys.map(\.text).sorted().map { .string($0) })
        object["try"] = .array(
            trials.map { trial in
                ["meaning": .string(trial.meaning), "line": .string(trial.line), "for": .string(trial.kind.rawValue)]
            })
        return .object(object)
    }

    private static func describe(_ bound: BoundAddress) -> JSON {
        var object: JSONObject = [
            "url": .string(bound.description), "encrypted": .bool(bound.isEncrypted),
            "client_certificates": .bool(bound.asksForCertificate),
        ]
        if let port = bound.port { object["port"] = .number(JSONNumber(Int64(port))) }
        return .object(object)
    }

    private static func describe(_ user: User) -> JSON {
        var object: JSONObject = ["username": .string(user.username), "id": .string(user.id)]
        if user.hasKnownPassword { object["password"] = .string(user.username) }
        return .object(object)
    }

    private static func describe(_ client: Client) -> JSON {
        var object: JSONObject = [
            "client_id": .string(client.id), "public": .bool(client.isPublic),
            "redirect_uris": .array(client.metadata.redirectURIs.map { .string($0.text) }),
            "grant_types": .array(client.metadata.grants.sorted().map { .string($0) }),
        ]
        if client.hasKnownSecret { object["client_secret"] = .string(StandardClients.serviceSecret) }
        return .object(object)
    }
}
