import Networking
import OAuth
import Primitives
import SessionClient
import SessionProxy

/// What a proxy says on standard output when it is ready.
struct ProxyReport {
    let addresses: [BoundAddress]
    let configuration: ProxyConfiguration
    let settings: ProxySettings
    let cookieName: String
    let authority: LocalAuthority?

    var text: String {
        var lines = ["pawl proxy \(Version.current) is ready.", ""]
        lines += addresses.map { "  \($0)" }
        let origin = configuration.origin.text
        lines += [
            "", "Public   \(origin)", "Upstream \(configuration.upstream)", "Issuer   \(settings.issuer.identifier)",
            "Client   \(settings.client.clientID), which the provider sends back to \(configuration.redirectURI.text)",
            "Cookie   \(cookieName)", "", "Try", "  # a page, after a sign-in", "  \(origin)/", "  # who is signed in",
            "  curl \(StartReport.quoted(origin + configuration.paths.session))",
        ]
        if let authority, let encrypted = addresses.first(where: \.isEncrypted) {
            lines += ["", authority.instructions(url: "\(encrypted)/")]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The same for programs.
    var json: JSON {
        var object: JSONObject = ["version": .string(Version.current)]
        object["addresses"] = .array(
            addresses.map { bound in
                var object: JSONObject = ["url": .string(bound.description), "encrypted": .bool(bound.isEncrypted)]
                if let port = bound.port { object["port"] = .number(JSONNumber(Int64(port))) }
                return .object(object)
            })
        object["public_url"] = .string(configuration.origin.text)
        object["upstream"] = .string(configuration.upstream.description)
        object["issuer"] = .string(settings.issuer.identifier)
        object["client_id"] = .string(settings.client.clientID)
        object["redirect_uri"] = .string(configuration.redirectURI.text)
        object["session_path"] = .string(configuration.paths.session)
        object["cookie"] = .string(cookieName)
        object["tls_authority"] = authority.map { .string($0.authorityPath) } ?? .null
        return .object(object)
    }
}
