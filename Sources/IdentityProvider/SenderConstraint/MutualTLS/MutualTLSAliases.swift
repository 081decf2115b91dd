import OAuth
import Primitives

/// Says where the endpoints are that ask clients for a certificate, when that is another port (RFC 8705 section 5): at
/// the usual one a browser would ask its user which certificate to show.
enum MutualTLSAliases {
    /// Those that clients send requests to themselves.
    private static let members: [ServerMetadata.Member] = [
        .tokenEndpoint, .revocationEndpoint, .introspectionEndpoint, .deviceAuthorizationEndpoint,
        .pushedAuthorizationRequestEndpoint, .userinfoEndpoint,
    ]

    /// To be called when everything else is in the metadata.
    static func advertise(by configuration: ProviderConfiguration, in metadata: inout ServerMetadata) {
        guard let port = configuration.mutualTLSPort, configuration.asksForCertificates(of: metadata.issuer) else {
            return
        }
        var aliases: JSONObject = [:]
        for member in members {
            guard let url = metadata[member]?.string, let alias = alias(of: url, at: port) else { continue }
            aliases[member.rawValue] = .string(alias)
        }
        if !aliases.isEmpty { metadata[.mutualTLSEndpointAliases] = .object(aliases) }
    }

    /// The same host and path, through TLS, at another port.
    private static func alias(of url: String, at port: UInt16) -> String? {
        guard let target = TargetURL(url), let host = Authority(target.authority)?.host else { return nil }
        return "https://" + host + (port == 443 ? "" : ":\(port)") + target.pathAndQuery
    }
}

extension ProviderConfiguration {
    /// Whether clients that know the provider by an issuer are asked for a certificate anywhere.
    ///
    /// RFC 8414 section 3.3: they compare `iss` with the issuer that they know. Where the issuer follows the host, what is got
    /// at the port that asks is by that of the ordinary entrance, so that the documents of no other issuer say anything of it.
    func asksForCertificates(of issuer: Issuer) -> Bool {
        guard let port = mutualTLSPort else { return false }
        guard case .followsHost = self.issuer else { return true }
        return (ordinaryEntrance ?? OrdinaryEntrance(port: port, isEncrypted: true)).isEntrance(of: issuer)
    }
}
