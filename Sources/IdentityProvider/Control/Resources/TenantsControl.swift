import HTTPMessages
import OAuth
import Primitives

/// The tenants, at the root alone: each is a provider of its own below `/t/{name}`.
struct TenantsControl: ControlResource {
    let administration: TenantAdministration

    var routes: [ControlRoute] {
        [
            ControlRoute(
                .get, "/tenants",
                .control("listTenants", "The tenants.", details: "One is made by first use too.").answeringJSON(
                    .object([("tenants", .array(of: Self.schema))], required: ["tenants"])), list),
            ControlRoute(
                .put, "/tenants/{name}",
                .control(
                    "putTenant", "Make a tenant, in the place of another of the name if there is one.",
                    details: "With users, clients and settings of its own; what is left out is as at the root."
                ).with(Self.name).takingJSON(
                    .object([
                        ("users", .array(of: User.controlInputSchema)),
                        ("clients", .array(of: .reference("ClientMetadata"))), ("settings", .reference("Settings")),
                    ]), isRequired: false
                ).answering(200, "It was there, and begins anew.", .json(Self.schema))
                    .answering(201, "It is new.", .json(Self.schema)), put),
            ControlRoute(
                .delete, "/tenants/{name}",
                .control(
                    "deleteTenant", "Forget a tenant with all that it is.",
                    details: "Whoever uses it again makes a new one."
                ).with(Self.name).answeringNothing().refusing((404, "There is no such tenant.")), remove),
            ControlRoute(
                .post, "/tenants/{name}/reset",
                .control("resetTenant", "Forget everything that has happened in a tenant.").with(Self.name)
                    .answeringNothing().refusing((404, "There is no such tenant.")), reset),
        ]
    }

    private static let name = OperationDescription.Parameter("name", in: .path, .string())

    private static let schema = Schema.object(
        [("name", .string()), ("issuer", .url())], required: ["name", "issuer"])

    private func describe(_ tenant: TenantName, _ request: ControlRequest) -> JSON {
        ["name": .string(tenant.text), "issuer": .string(request.issuer.issuer.below(tenant.path).identifier)]
    }

    private func name(_ request: ControlRequest) throws(ControlError) -> TenantName {
        guard let name = TenantName(request.parameter("name")) else {
            throw .invalid(nil, "the name of a tenant has \(TenantName.rule)")
        }
        return name
    }

    private func list(_ request: ControlRequest) -> ControlAnswer {
        .json(["tenants": .array(administration.tenants.compactMap(\.name).map { describe($0, request) })])
    }

    private func put(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let name = try name(request)
        let body = try request.optionalBody()
        try body.allow(["users", "clients", "settings"])
        var configuration = administration.configuration(name)
        if let settings = try body.members("settings") {
            try Settings.apply(settings, to: &configuration, .beforeStart)
        }
        if let users = try body.list("users") {
            configuration.users = try users.map { (members) throws(ControlError) in try User(members) }
        }
        if let clients = try body.list("clients") {
            let legacy = configuration.legacy
            configuration.clients = try clients.map { (members) throws(ControlError) in
                try Client(members, legacy: legacy)
            }
        }
        do throws(OAuthError) {
            let (_, isNew) = try await administration.create(name, with: configuration)
            return isNew ? .created(describe(name, request)) : .json(describe(name, request))
        } catch {
            throw ControlError(error)
        }
    }

    private func tenant(_ request: ControlRequest) throws(ControlError) -> Tenant {
        guard let tenant = administration.tenant(try name(request)) else { throw .notFound("there is no such tenant") }
        return tenant
    }

    private func remove(_ request: ControlRequest) throws(ControlError) -> ControlAnswer {
        guard administration.remove(try name(request)) else { throw .notFound("there is no such tenant") }
        return .none
    }

    private func reset(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let tenant = try tenant(request)
        do throws(StoreError) {
            try await tenant.reset()
        } catch {
            throw ControlError(OAuthError(.temporarilyUnavailable, "try again in a moment", cause: error.description))
        }
        return .none
    }
}
