import IdentityProvider
import JOSE
import Networking
import OAuth
import Primitives

/// What a server says on standard output when it is ready: who is there, and lines to try it with.
struct StartReport {
    let addresses: [BoundAddress]
    let settings: ProviderSettings
    /// The configuration file, if there is one.
    let file: String?
    let keys: ServerKeys
    /// Where what happens is kept, if it is.
    let data: String?
    let authority: LocalAuthority?

    var root: ProviderConfiguration { settings.root }

    var issuer: Issuer? {
        if case .fixed(let issuer) = root.issuer { issuer } else { nil }
    }

    /// More names than this are counted.
    private static let longestList = 12

    var text: String {
        var lines = ["pawl \(Version.current) is ready.", ""]
        lines += addresses.map { "  \($0)" + ($0.asksForCertificate ? "  asks for a client certificate" : "") }
        lines += ["", "Issuer   \(issuer?.identifier ?? "the scheme and host that the client used")"]
        let place = keys.store.map { "kept in \($0.directory)" } ?? "in memory for this run; keep them with --keys DIR"
        lines.append("Keys     \(keys.algorithm), \(place)")
        lines.append("Data     " + (data.map { "kept in \($0)" } ?? "in memory for this run; keep it with --data DIR"))
        if let file { lines.append("Config   \(file)") }
        let knownPasswords =
            !root.users.isEmpty && root.users.allSatisfy(\.hasKnownPassword) ? "  (passwords are the names)" : ""
        lines.append("Users    " + Self.list(root.users.map(\.username)) + knownPasswords)
        lines.append("Clients  " + Self.list(root.clients.map(Self.shortly)))
        if !settings.tenants.isEmpty {
            lines.append("Tenants  " + Self.list(settings.tenants.keys.map { $0.path }.sorted()))
        }
        lines.append("Control  \(root.control.summary(below: issuer?.basePath ?? ""))")
        if let file = root.outboundAuthorities {
            lines.append("Trusts   \(file), besides the authorities of the system")
        }
        lines += ["", "Try"]
        for trial in trials { lines += ["  # \(trial.meaning)", "  \(trial.line)"] }
        if let authority, let encrypted = addresses.first(where: \.isEncrypted) {
            lines += ["", authority.instructions(url: url(of: "/", at: encrypted))]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func list(_ names: [String]) -> String {
        guard !names.isEmpty else { return "none" }
        let shown = names.prefix(longestList).joined(separator: ", ")
        return names.count > longestList ? "\(shown) and \(names.count - longestList) more" : shown
    }

    private static func shortly(_ client: Client) -> String {
        if client.hasKnownSecret { return "\(client.id) (secret: \(StandardClients.serviceSecret))" }
        return client.isPublic ? "\(client.id) (public)" : client.id
    }

    /// As one word of a shell.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-_./:@%+=,".utf8.contains(byte)
            }
        }
        return isPlain ? text : Shell.quoted(text)
    }
}
