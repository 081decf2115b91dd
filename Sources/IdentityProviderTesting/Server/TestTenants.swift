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
        let tenantName = try Self.tenantName(name)
        do throws(OAuthError) {
            return TestIdentityProvider(server, try await server.provider.tenant(tenantName))
        } catch {
            throw IdentityProviderTestingError(.refused, error.publicDescription)
        }
    }

    /// Makes a provider below `/t/{name}` of this one by a setup of its own, in the place of another of the name if there is one.
    ///
    ///     let strict = try await idp.tenant("strict", TestSetup(rotation: "strict"))
    public func tenant(
        _ name: String, _ setup: TestSetup
    ) async throws(IdentityProviderTestingError) -> TestIdentityProvider {
        let tenantName = try Self.tenantName(name)
        let configuration = try setup.configuration()
        do throws(OAuthError) {
            return TestIdentityProvider(
                server, try await administration().create(tenantName, with: configuration).tenant)
        } catch {
            throw IdentityProviderTestingError(.refused, error.publicDescription)
        }
    }

    /// The names of those below `/t/` that there are, in the order of the alphabet.
    ///
    ///     print(idp.tenantNames)                      // ["other", "strict"]
    public var tenantNames: [String] { administration().tenants.compactMap { $0.name?.text } }

    /// Forgets a tenant with all that it is; `false` when there is none of the name. Whoever uses it again makes a new one.
    ///
    ///     let wasThere = try await idp.removeTenant("other")
    @discardableResult
    public func removeTenant(_ name: String) async throws(IdentityProviderTestingError) -> Bool {
        let tenantName = try Self.tenantName(name)
        do throws(OAuthError) { return try await administration().remove(tenantName) } catch {
            throw IdentityProviderTestingError(.refused, error.publicDescription)
        }
    }

    private static func tenantName(_ name: String) throws(IdentityProviderTestingError) -> TenantName {
        guard let tenantName = TenantName(name) else {
            throw IdentityProviderTestingError(.refused, "no tenant can be called \(name); one has \(TenantName.rule)")
        }
        return tenantName
    }

    private func administration() -> TenantAdministration {
        guard let administration = server.provider.root.administration else {
            preconditionFailure("the provider at the root makes the others")
        }
        return administration
    }
}
