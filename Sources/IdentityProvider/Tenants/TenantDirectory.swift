import OAuth
import Primitives
import Synchronization

/// The tenants, made by first use.
final class TenantDirectory: Sendable {
    private enum Entry: Sendable {
        case ready(Tenant)
        case inTheMaking(Task<Tenant, any Error>)
    }

    private let entries = Mutex<[TenantName: Entry]>([:])
    private let makeTenant: @Sendable (TenantName) async throws -> Tenant

    private let maximumCount: Int

    /// None is forgotten by itself: nobody can say which of them a test still counts on.
    private var full: OAuthError {
        OAuthError(
            .temporarilyUnavailable,
            "there are \(maximumCount) tenants, and no more are made; DELETE \(ControlAPI.path)/tenants/{name} removes one",
            cause: "too many tenants")
    }

    init(maximumCount: Int, makeTenant: @escaping @Sendable (TenantName) async throws -> Tenant) {
        self.maximumCount = maximumCount
        self.makeTenant = makeTenant
    }

    /// The tenant of this name. The first who asks makes it, and whoever asks meanwhile waits for the same.
    func tenant(_ name: TenantName) async throws(OAuthError) -> Tenant {
        let entry: Entry? = entries.withLock { [maximumCount] entries in
            if let entry = entries[name] { return entry }
            guard entries.count < maximumCount else { return nil }
            let entry = Entry.inTheMaking(Task { [makeTenant] in try await makeTenant(name) })
            entries[name] = entry
            return entry
        }
        switch entry {
        case .ready(let tenant):
            return tenant
        case .inTheMaking(let task):
            return try await settle(task, name)
        case nil:
            throw full
        }
    }

    /// Whether there is a tenant of this name, or will be in a moment.
    func knows(_ name: TenantName) -> Bool { entries.withLock { $0[name] != nil } }

    private func settle(_ task: Task<Tenant, any Error>, _ name: TenantName) async throws(OAuthError) -> Tenant {
        do {
            let tenant = try await task.value
            entries.withLock { entries in
                if case .inTheMaking(let other)? = entries[name], other == task { entries[name] = .ready(tenant) }
            }
            return tenant
        } catch {
            // The next one who asks tries again.
            entries.withLock { entries in
                if case .inTheMaking(let other)? = entries[name], other == task { entries[name] = nil }
            }
            throw Self.failure(error)
        }
    }

    /// Why there is no tenant. What a full disk is the reason of is the same everywhere: come again.
    static func failure(_ error: any Error) -> OAuthError {
        switch error {
        case let error as KeySupplyError: error.unavailable("the tenant could not be made")
        case let error as StoreError:
            OAuthError(.temporarilyUnavailable, "try again in a moment", cause: error.description)
        default: OAuthError(.serverError, "the tenant could not be made", cause: "\(error)")
        }
    }

    /// Puts a tenant in the place of another, or makes it known; says whether there was none.
    func put(_ tenant: Tenant, as name: TenantName) throws(OAuthError) -> Bool {
        let isNew: Bool? = entries.withLock { [maximumCount] entries in
            let isNew = entries[name] == nil
            guard !isNew || entries.count < maximumCount else { return nil }
            entries[name] = .ready(tenant)
            return isNew
        }
        guard let isNew else { throw full }
        return isNew
    }

    func remove(_ name: TenantName) -> Bool {
        entries.withLock { $0.removeValue(forKey: name) != nil }
    }

    var tenants: [Tenant] {
        entries.withLock { entries in
            entries.values.compactMap { if case .ready(let tenant) = $0 { tenant } else { nil } }
        }
    }
}
