import OAuth
import Primitives

/// Everything about a provider that can be chosen.
package struct ProviderConfiguration: Sendable {
    package var issuer: IssuerPolicy
    package var clients: ClientRegistry
    package var accessTokens: AccessTokenPolicy
    package var crossOrigin: CrossOriginPolicy

    package init(
        issuer: IssuerPolicy = .followsHost, clients: ClientRegistry, accessTokens: AccessTokenPolicy,
        crossOrigin: CrossOriginPolicy = .loopback
    ) {
        self.issuer = issuer
        self.clients = clients
        self.accessTokens = accessTokens
        self.crossOrigin = crossOrigin
    }

    /// A hundred years: beyond it, seconds are surely a mistake for something else.
    package static let maximumTokenLifetimeSeconds: Int64 = 3_155_760_000

    /// What must hold before a provider starts.
    func check() throws(ProviderConfigurationError) {
        let lifetime = accessTokens.lifetime
        guard lifetime >= .seconds(1), lifetime <= .seconds(Self.maximumTokenLifetimeSeconds),
            lifetime == .seconds(lifetime.inSeconds)
        else { throw .badTokenLifetime }
        if case .fixed(let audiences) = accessTokens.audience, audiences.isEmpty || audiences.contains("") {
            throw .noAudience
        }
    }
}
