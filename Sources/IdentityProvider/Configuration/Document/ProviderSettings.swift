/// What a configuration file says: about the provider at the root, and about tenants that it names.
package struct ProviderSettings: Sendable {
    package var root: ProviderConfiguration
    package var tenants: [TenantName: ProviderConfiguration]

    package init(root: ProviderConfiguration, tenants: [TenantName: ProviderConfiguration] = [:]) {
        self.root = root
        self.tenants = tenants
    }

    /// With what a tenant is made: what the file says of it, or else what holds at the root.
    package func configuration(of tenant: TenantName) -> ProviderConfiguration { tenants[tenant] ?? root }

    /// The longest that a token is good, whoever it is for.
    package var longestTokenLifetime: Duration {
        ([root] + tenants.values).map(\.longestTokenLifetime).max() ?? .zero
    }
}

extension ProviderConfiguration {
    /// The longest that a token is good which its keys have signed.
    package var longestTokenLifetime: Duration {
        let own = clients.flatMap { [$0.metadata.accessTokenLifetime, $0.metadata.idTokenLifetime] }
        return ([accessTokens.lifetime, idTokens.lifetime] + own.compactMap(\.self)).max() ?? .zero
    }
}
