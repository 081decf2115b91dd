import IdentityProvider
import OAuth

extension TestIdentityProvider {
    /// Another provider below `/t/{name}` of this one, with users, clients, keys, clock and state of its own; made by the
    /// first use of its name, with what this one was made with.
    ///
    ///     let other = try await idp.tenant("other")
    ///     print(other.issuer)                         // http://127.0.0.1:49152/t/other
    ///     other.clock.advance(by: .seconds(3600))     // and nobody else's
    public func tenant(_ name: String) async throws(IdentityProviderTestingError) -> TestIdentityProvider {
        guard let tenantName = TenantName(name) else {
            throw IdentityProviderTestingError(.refused, "no tenant can be called \(name); one has \(TenantName.rule)")
        }
        do throws(OAuthError) {
            return TestIdentityProvider(server, try await server.provider.tenant(tenantName))
        } catch {
            throw IdentityProviderTestingError(.refused, error.publicDescription)
        }
    }
}
