import HTTPMessages
import OAuth
import Primitives

/// An OAuth 2.0 authorization server and OpenID provider, and as many more as there are tenants: requests in, responses
/// out, no sockets.
///
///     let provider = try await IdentityProvider(
///         configuration: ProviderConfiguration(
///             clients: StandardClients.all(), accessTokens: AccessTokenPolicy(algorithm: .es256)),
///         environment: ProviderEnvironment(clock: clock, random: random, keySupply: keys))
///     let response = await provider.respond(to: request)
package final class IdentityProvider: RequestHandler {
    /// The provider at the root.
    package let root: Tenant
    private let tenants: TenantDirectory
    private let basePath: String

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - keyRing: the keys of the provider at the root; made by the supply if there is none.
    ///   - configurationOfTenants: what a tenant is made with; that of the root unless told otherwise.
    package init(
        configuration: ProviderConfiguration, environment: ProviderEnvironment, keyRing: KeyRing? = nil,
        configurationOfTenants: (@Sendable (TenantName) -> ProviderConfiguration)? = nil
    ) async throws {
        let configurationOfTenants = configurationOfTenants ?? { _ in configuration }
        let make: @Sendable (TenantName, ProviderConfiguration) async throws -> Tenant = { name, configuration in
            try await Self.makeTenant(name, configuration, environment, nil, nil)
        }
        let tenants = TenantDirectory(maximumCount: environment.maximumTenantCount) { name in
            try await make(name, configurationOfTenants(name))
        }
        self.tenants = tenants
        basePath = configuration.issuer.basePath
        root = try await Self.makeTenant(
            nil, configuration, environment, keyRing,
            TenantAdministration(
                directory: tenants, keys: environment.keySupply, configuration: configurationOfTenants, make: make))
    }

    private static func makeTenant(
        _ name: TenantName?, _ configuration: ProviderConfiguration, _ environment: ProviderEnvironment,
        _ keyRing: KeyRing?, _ administration: TenantAdministration?
    ) async throws -> Tenant {
        try configuration.check()
        let ring: KeyRing
        if let keyRing {
            ring = keyRing
        } else if let name {
            ring = try await environment.keySupply.ring(
                of: name, for: configuration.algorithms, at: environment.clock.now())
        } else {
            ring = try await environment.keySupply.makeRing(
                for: configuration.algorithms, at: environment.clock.now())
        }
        let context = try ProviderContext(
            configuration: configuration, keyRing: ring, environment: environment,
            secret: environment.makeSecret(name), tenant: name)
        try await context.restoreStays()
        try await context.restoreRegistrations()
        // What is beside the provider is beside the one at the root.
        var neighbours: @Sendable (inout OpenAPIDocument) -> Void = { _ in }
        if name == nil { neighbours = environment.describeNeighbours }
        return Tenant(name: name, context: context, administration: administration, neighbours: neighbours)
    }

    /// The tenants that somebody has used.
    package var knownTenants: [Tenant] { tenants.tenants }

    /// The tenant of this name, made if there is none.
    package func tenant(_ name: TenantName) async throws(OAuthError) -> Tenant { try await tenants.tenant(name) }

    /// Nobody waits for requests any longer: the provider is about to end.
    package func stopWaiting() {
        for tenant in [root] + tenants.tenants { tenant.context.stopWaiting() }
    }

    package func respond(to request: ServerRequest) async -> ServerResponse {
        guard let place = TenantPath(request.head.path ?? "", below: basePath) else {
            let isNoName = TenantPath.namesNoTenant(request.head.path ?? "", below: basePath)
            return root.refuse(request, with: isNoName ? ErrorResponse.noTenantName : ErrorResponse.notFound)
        }
        guard let name = place.tenant else { return await root.respond(to: request, target: place.target) }
        // Keys and state of a tenant cost something: what leads nowhere, as the walk of a crawler, makes none.
        guard root.owns(place.target) || tenants.knows(name) else {
            return await root.respond(to: request, target: "")
        }
        do throws(OAuthError) {
            return await (try await tenants.tenant(name)).respond(to: request, target: place.target)
        } catch {
            return root.refuse(request, with: ErrorResponse.response(for: error))
        }
    }
}
