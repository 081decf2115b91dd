import Foundation
import IdentityProvider
import OAuth
import Primitives
import TestSupport
import Testing

/// Tenants through the control API, written as a configuration file writes them.
@Suite struct TenantsControlTests {
    private func put(_ body: JSON, to control: ControlUnderTest) async throws {
        let answer = await control.call("PUT", "/tenants/a", body)
        #expect(answer.status == 201, "\(answer.errorDescription)")
    }

    private func tenant(_ name: String, of control: ControlUnderTest) async throws -> ProviderContext {
        let name = try #require(TenantName(name))
        return try await control.provider.provider.tenant(name).context
    }

    /// Who waits in a tenant that is replaced, or removed, waits for nothing.
    @Test(arguments: ["PUT", "DELETE"])
    func letsGoWhomATenantHeldThatIsNoMore(_ method: String) async throws {
        let control = try await ControlUnderTest()
        try await put([:], to: control)
        let barriers = try await tenant("a", of: control).checkpoints.barriers
        let barrier = try #require(barriers.add(BarrierPlan(at: .responseSending, count: 2)))
        async let held = control.provider.get("/t/a/jwks.json")
        _ = try? await barriers.first(barrier, within: .seconds(60)) { $0.held.count == 1 }
        let answer = await control.call(method, "/tenants/a", method == "PUT" ? [:] : nil)
        #expect((200...204).contains(answer.status))
        #expect(await held.status == 200)
    }

    /// One fixture serves both.
    @Test(arguments: ["tenants", "complete"]) func takesATenantAsTheFileHasIt(example: String) async throws {
        let text = try ConfigurationUnderTest.example(example)
        let read = try ConfigurationUnderTest.settings(text)
        let file = try JSON(parsing: text.span)
        let tenants = try #require(file["tenants"]?.object)
        let control = try await ControlUnderTest()
        for (name, body) in tenants {
            let answer = await control.call("PUT", "/tenants/\(name)", body)
            #expect(answer.status == 201, "\(name)")
            let made = try await tenant(name, of: control)
            let settings = await control.call("GET", "/settings", below: "/t/\(name)/_pawl")
            Self.expect(settings.json, toSay: body)
            Self.expect(made, toHaveThePeopleOf: read.configuration(of: try #require(TenantName(name))), if: body)
        }
    }

    private static func expect(_ settings: JSON?, toSay body: JSON) {
        for (name, value) in body.object ?? [:] where value.string != nil { #expect(settings?[name] == value) }
    }

    private static func expect(
        _ made: ProviderContext, toHaveThePeopleOf expected: ProviderConfiguration, if body: JSON
    ) {
        if body["users"] != nil || body["standard_users"] != nil {
            #expect(made.users.users.map(\.username) == expected.users.map(\.username))
        }
        if body["clients"] != nil || body["standard_clients"] != nil {
            #expect(made.clients.clients.map(\.id) == expected.clients.map(\.id))
        }
    }

    @Test func takesTheMembersOfAFile() async throws {
        let control = try await ControlUnderTest()
        let body: JSON = [
            "access_tokens": ["lifetime": "1m"], "legacy": ["password"], "standard_users": true,
            "standard_clients": true, "users": [["username": "zoe"]],
            "clients": [
                [
                    "client_id": "c", "client_secret": "s", "grant_types": ["client_credentials", "password"],
                    "access_token_lifetime": "7s",
                ]
            ],
        ]
        try await put(body, to: control)
        let made = try await tenant("a", of: control)
        #expect(made.configuration.accessTokens.lifetime == .seconds(60))
        #expect(made.users.users.map(\.username) == ["zoe", "alice", "bob", "minji", "haruto"])
        #expect(made.clients.clients.map(\.id) == ["c", "web", "native", "service"])
        let answer = await control.provider.token(
            "grant_type=client_credentials", basic: "c:s", path: "/t/a/token")
        #expect(answer.json?["expires_in"] == 7)
    }

    @Test func takesSettingsInBothPlaces() async throws {
        let control = try await ControlUnderTest()
        let body: JSON = ["settings": ["rotation": "reuse"], "access_tokens": ["lifetime": 5]]
        try await put(body, to: control)
        let made = try await tenant("a", of: control)
        #expect(made.configuration.rotation == .reuse)
        #expect(made.configuration.accessTokens.lifetime == .seconds(5))
    }

    @Test func aTenantMayHaveNobody() async throws {
        let control = try await ControlUnderTest()
        let body: JSON = ["standard_users": false, "standard_clients": false]
        try await put(body, to: control)
        let made = try await tenant("a", of: control)
        #expect(made.users.users.isEmpty && made.clients.clients.isEmpty)
    }

    @Test(
        arguments: [
            (["rotation": "never"], "rotation"), (["settings": ["rotation": "never"]], "settings.rotation"),
            (["settings": ["rotation": "reuse"], "rotation": "reuse"], "rotation"),
            (["access_tokens": ["lifetime": 0]], "access_tokens.lifetime"), (["rotations": "strict"], "rotations"),
            (["issuer": "https://a.example"], "issuer"), (["tenants": [:]], "tenants"),
            (["standard_users": "yes"], "standard_users"), (["pairwise_salt": ["env": "HOME"]], "pairwise_salt"),
            (["clients": [["client_id": "a", "access_token_lifetime": "0s"]]], "clients[0].access_token_lifetime"),
            (["legacy": ["none"]], "legacy[0]"),
        ] as [(JSON, String)])
    func refusesWhatIsWrongAndMakesNone(_ body: JSON, _ member: String) async throws {
        let control = try await ControlUnderTest()
        let answer = await control.call("PUT", "/tenants/a", body)
        #expect(answer.status == 400)
        #expect(answer.json?["path"] == .string(member))
        #expect(try await control.json("GET", "/tenants") == ["tenants": []])
    }
}
