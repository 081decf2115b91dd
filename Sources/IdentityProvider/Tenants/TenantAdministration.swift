import OAuth
import Primitives

/// Makes and removes tenants, for whoever runs the provider.
package final class TenantAdministration: Sendable {
    private let directory: TenantDirectory
    /// What a tenant is made with unless somebody says otherwise.
    package let configuration: @Sendable (TenantName) -> ProviderConfiguration
    private let keys: any KeySupply
    private let make: @Sendable (TenantName, ProviderConfiguration) async throws -> Tenant

    init(
        directory: TenantDirectory, keys: any KeySupply,
        configuration: @escaping @Sendable (TenantName) -> ProviderConfiguration,
        make: @escaping @Sendable (TenantName, ProviderConfiguration) async throws -> Tenant
    ) {
        self.directory = directory
        self.keys = keys
        self.configuration = configuration
        self.make = make
    }

    package var tenants: [Tenant] { directory.tenants.sorted { ($0.name?.text ?? "") < ($1.name?.text ?? "") } }

    package func tenant(_ name: TenantName) -> Tenant? { directory.tenants.first { $0.name == name } }

    /// Makes a tenant, in the place of another of the name if there is one; says whether there was none.
    package func create(
        _ name: TenantName, with configuration: ProviderConfiguration
    ) async throws(OAuthError) -> (tenant: Tenant, isNew: Bool) {
        let tenant: Tenant
        // One of the name may have been there before, or in an earlier run.
        try await forgetKeys(of: name)
        do {
            tenant = try await make(name, configuration)
        } catch let error as ProviderConfigurationError {
            throw OAuthError(.invalidRequest, error.description)
        } catch {
            throw TenantDirectory.failure(error)
        }
        // Nothing that happened then is known to this one, nor who registered.
        try await tenant.context.storing { _ throws(StoreError) in try await tenant.reset() }
        let former = self.tenant(name)
        let isNew = try directory.put(tenant, as: name)
        former?.context.stopWaiting()
        return (tenant, isNew)
    }

    /// `false` when there was none.
    package func remove(_ name: TenantName) async throws(OAuthError) -> Bool {
        guard let former = tenant(name) else { return directory.remove(name) }
        defer { former.context.stopWaiting() }
        let isRemoved = directory.remove(name)
        try await forgetKeys(of: name)
        try await forget(former)
        return isRemoved
    }

    private func forgetKeys(of name: TenantName) async throws(OAuthError) {
        do throws(KeySupplyError) {
            try await keys.forgetKeys(of: name)
        } catch {
            throw error.unavailable("the tenant could not be forgotten")
        }
    }

    private func forget(_ tenant: Tenant) async throws(OAuthError) {
        try await tenant.context.storing { store throws(StoreError) in try await store.removeAll() }
    }
}
