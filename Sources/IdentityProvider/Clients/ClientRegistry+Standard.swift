import Primitives

extension ClientRegistry {
    /// What is there without any configuration: the confidential client `service` with the secret `secret`. Known to
    /// everybody, and right only where nothing is at stake.
    package static func standard() throws(ProviderConfigurationError) -> ClientRegistry {
        try ClientRegistry([
            Client(id: "service", secret: Secret(utf8: "secret"), grants: [ClientCredentialsGrant.type])
        ])
    }
}
