import OAuth
import Primitives

/// Makes and removes tenants, for whoever runs the provider.
final class TenantAdministration: Sendable {
    private let directory: TenantDirectory
    /// What a tenant is made with unless somebody says otherwise.
    let configuration: @Sendable (TenantName) -> ProviderConfiguration
    private let make: @Sendable (TenantName, ProviderConfiguration) async throws -> Tenant

    init(
        directory: TenantDirectory, configuration: @escaping @Sendable (TenantName) -> ProviderConfiguration,
        make: @escaping @Sendable (TenantName, ProviderConfiguration) async throws -> Tenant
    ) {
        self.directory = directory
        self.configuration = configuration
        self.make = make
    }

    var tenants: [Tenant] { directory.tenants.sorted { ($0.name?.text ?? "") < ($1.name?.text ?? "") } }

    func tenant(_ name: TenantName) -> Tenant? { directory.tenants.first { $0.name == name } }

    /// Makes a tenant, in the place of another of the name if there is one; says whether there was none.
    func create(
        _ name: TenantName, with configuration: ProviderConfiguration
    ) async throws(OAuthError) -> (tenant: Tenant, isNew: Bool) {
        let tenant: Tenant
        do {
            tenant = try await make(name, configuration)
        } catch let error as ProviderConfigurationError {
            throw OAuthError(.invalidRequest, error.description)
        } catch {
            throw OAuthError(.serverError, "the tenant could not be made", cause: "\(error)")
        }
        // One of the name may have been there in an earlier run.
        try await forget(tenant)
        let former = self.tenant(name)
        let isNew = try directory.put(tenant, as: name)
        former?.context.stopWaiting()
        return (tenant, isNew)
    }

    /// `false` when there was none.
    func remove(_ name: TenantName) async throws(OAuthError) -> Bool {
        guard let former = tenant(name) else { return directory.remove(name) }
        defer { former.context.stopWaiting() }
        let isRemoved = directory.remove(name)
        try await forget(former)
        return isRemoved
    }

    private func forget(_ tenant: Tenant) async throws(OAuthError) {
        try await tenant.context.storing { store throws(StoreError) in try await store.removeAll() }
    }
}
