import OAuth
import Primitives

extension Tenant {
    /// What the control API of a tenant is made of. A resource is added here by one line.
    static func controlResources(
        of name: TenantName?, _ context: ProviderContext, _ administration: TenantAdministration?,
        _ endpoints: EndpointNames
    ) -> [any ControlResource] {
        let index: JSON = [
            "tenant": name.map { .string($0.text) } ?? .null, "openapi": .string(OpenAPIEndpoint.location),
        ]
        let resources: [any ControlResource] = [
            StateControl(reset: { () throws(StoreError) in try await context.reset() }, index: { index }),
            ClockControl(clock: context.clock),
            UsersControl(context: context),
            ClientsControl(context: context),
            SettingsControl(context: context),
            KeysControl(context: context),
            TokensControl(context: context),
            SessionsControl(context: context),
            LoginClaimsControl(nextLoginClaims: context.nextLoginClaims),
            DeviceControl(context: context),
            NextResponsesControl(overrides: context.overrides, endpoints: endpoints),
            RequestsControl(requests: context.requests),
            FamiliesControl(context: context),
            FaultsControl(faults: context.checkpoints.faults, endpoints: endpoints),
            BarriersControl(barriers: context.checkpoints.barriers, endpoints: endpoints),
            EventsControl(events: context.checkpoints.events),
        ]
        return resources + (administration.map { [TenantsControl(administration: $0)] } ?? [])
    }

    /// Says what can be asked: of each endpoint, and of the control API.
    static func describe(_ endpoints: [any Endpoint], _ control: ControlAPI, in document: inout OpenAPIDocument) {
        for endpoint in endpoints { endpoint.describe(in: &document) }
        OpenAPIEndpoint(version: { 0 }) { _ in }.describe(in: &document)
        control.describe(in: &document)
    }
}
