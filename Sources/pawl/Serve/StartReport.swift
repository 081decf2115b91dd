import IdentityProvider
import JOSE
import Networking
import OAuth
import Primitives

/// What a server says on standard output when it is ready.
struct StartReport {
    let addresses: [BoundAddress]
    let issuer: Issuer?
    let clients: ClientRegistry
    /// Whether the clients are those that everybody knows, so that their secret is none.
    let clientsAreStandard: Bool
    let keys: ServerKeys
    let authority: LocalAuthority?

    var text: String {
        var lines = ["pawl \(Version.current) is ready.", ""]
        lines += addresses.map { "  \($0)" }
        lines += ["", "Issuer   \(issuer?.identifier ?? "the scheme and host that the client used")"]
        let place = keys.store.map { "kept in \($0.directory)" } ?? "in memory for this run; keep them with --keys DIR"
        lines.append("Keys     \(keys.algorithm), \(place)")
        lines.append("Clients  \(clients.clients.map(\.id).joined(separator: ", "))")
        lines += ["", "Try"]
        let encrypted = addresses.first(where: \.isEncrypted)
        if let address = addresses.first {
            if let client = clients.clients.first { lines.append("  \(tokenCommand(client, at: address))") }
            lines.append("  \(metadataCommand(at: address))")
            if let encrypted, encrypted != address { lines.append("  \(metadataCommand(at: encrypted))") }
        }
        if let authority, let encrypted { lines += ["", authority.instructions(url: url(of: "/", at: encrypted))] }
        return lines.joined(separator: "\n") + "\n"
    }

    var json: JSON {
        var object: JSONObject = [
            "version": .string(Version.current),
            "addresses": .array(addresses.map(Self.describe)),
            "clients": .array(clients.clients.map { .string($0.id) }),
            "algorithm": .string(keys.algorithm.name),
        ]
        object["issuer"] = issuer.map { .string($0.identifier) } ?? .null
        object["keys"] = keys.store.map { .string($0.directory) } ?? .null
        object["tls_authority"] = authority.map { .string($0.authorityPath) } ?? .null
        return .object(object)
    }

    private static func describe(_ bound: BoundAddress) -> JSON {
        var object: JSONObject = ["url": .string(bound.description), "encrypted": .bool(bound.isEncrypted)]
        if let port = bound.port { object["port"] = .number(JSONNumber(Int64(port))) }
        return .object(object)
    }

    /// A secret that somebody chose is not repeated: curl asks for it.
    private func tokenCommand(_ client: Client, at address: BoundAddress) -> String {
        let credentials = clientsAreStandard ? "\(client.id):secret" : client.id
        return "\(curl(at: address)) -u \(quoted(credentials)) -d grant_type=client_credentials "
            + quoted(url(of: "/token", at: address))
    }

    private func metadataCommand(at address: BoundAddress) -> String {
        "\(curl(at: address)) \(quoted(url(of: "/.well-known/openid-configuration", at: address)))"
    }

    private func curl(at address: BoundAddress) -> String {
        var command = "curl"
        if address.isEncrypted, let authority { command += " --cacert \(quoted(authority.authorityPath))" }
        if case .unix(let path) = address.address { command += " --unix-socket \(quoted(path))" }
        return command
    }

    private func url(of path: String, at address: BoundAddress) -> String {
        let base = issuer?.basePath ?? ""
        let scheme = address.isEncrypted ? "https" : "http"
        switch address.address {
        case .unix: return "\(scheme)://localhost\(base)\(path)"
        // Every address of this machine: no certificate is for that.
        case .ip("0.0.0.0", let port), .ip("::", let port): return "\(scheme)://localhost:\(port)\(base)\(path)"
        case .ip: return "\(address)\(base)\(path)"
        }
    }

    /// As one word of a shell.
    private func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-_./:@%+=,".utf8.contains(byte)
            }
        }
        return isPlain ? text : Shell.quoted(text)
    }
}
