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
                    details:
                        "With users, clients and settings of its own; what is left out is as at the root. The members of a "
                        + "tenant in a configuration file are taken as they stand there, but for secrets that are kept "
                        + "elsewhere; its settings may stand in `settings` too, each in one of the two places."
                ).with(Self.name).takingJSON(Self.inputSchema, isRequired: false).answering(
                    200, "It was there, and begins anew.", .json(Self.schema)
                )
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

    private static let inputSchema: Schema = {
        let people: [(name: String, schema: Schema)] = [
            ("users", .array(of: User.controlInputSchema)), ("standard_users", .boolean),
            ("clients", .array(of: .reference("ClientMetadata"))), ("standard_clients", .boolean),
            ("settings", .reference("Settings")),
        ]
        return .object(people + ConfigurationMember.policies.map { (name: $0.name, schema: $0.settingsSchema) })
    }()

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
        let (settings, people) = body.dividedIntoSettingsAndPeople()
        try people.allow(["users", "standard_users", "clients", "standard_clients", "settings"])
        var configuration = administration.configuration(name)
        if let others = try body.members("settings") {
            for (name, _) in settings.object where others.object.contains(name) {
                throw .invalid(body.place[name], "is in settings too")
            }
            try Settings.apply(others, to: &configuration, .beforeStart)
        }
        try Settings.apply(settings, to: &configuration, .beforeStart)
        try takePeople(of: body, into: &configuration)
        do throws(OAuthError) {
            let (_, isNew) = try await administration.create(name, with: configuration)
            return isNew ? .created(describe(name, request)) : .json(describe(name, request))
        } catch {
            throw ControlError(error)
        }
    }

    private func takePeople(
        of body: ControlMembers, into configuration: inout ProviderConfiguration
    ) throws(ControlError) {
        if let users = try body.list("users") {
            configuration.users = try users.map { (members) throws(ControlError) in try User(members) }
        }
        if let clients = try body.list("clients") {
            let legacy = configuration.legacy
            configuration.clients = try clients.map { (members) throws(ControlError) in
                try Client(members, legacy: legacy)
            }
        }
        configuration.takeStandardUsers(try body.flag("standard_users"), isBeside: body.has("users"))
        configuration.takeStandardClients(try body.flag("standard_clients"), isBeside: body.has("clients"))
    }

    private func tenant(_ request: ControlRequest) throws(ControlError) -> Tenant {
        guard let tenant = administration.tenant(try name(request)) else { throw .notFound("there is no such tenant") }
        return tenant
    }

    private func remove(_ request: ControlRequest) async throws(ControlError) -> ControlAnswer {
        let name = try name(request)
        let isRemoved: Bool
        do throws(OAuthError) { isRemoved = try await administration.remove(name) } catch { throw ControlError(error) }
        guard isRemoved else { throw .notFound("there is no such tenant") }
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

extension ControlMembers {
    /// What stands beside `settings` as it does in a file, and the rest.
    fileprivate func dividedIntoSettingsAndPeople() -> (settings: ControlMembers, people: ControlMembers) {
        var (settings, people) = (JSONObject(), JSONObject())
        for (name, value) in object {
            let isSetting = ConfigurationMember.policies.contains { sameText($0.name, name) }
            if isSetting { settings[name] = value } else { people[name] = value }
        }
        return (ControlMembers(settings, at: place), ControlMembers(people, at: place))
    }
}
