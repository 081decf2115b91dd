import IdentityProviderTesting
import Testing

/// A test in Swift can do whatever the control API can: each operation that OpenAPI describes is called here as this product
/// has it.
@Suite struct ControlCoverageTests {
    typealias Call = @Sendable (TestIdentityProvider) async throws -> Void

    private static let calls: [String: Call] = [
        "getControl": { _ = $0.issuer },
        "getClock": { _ = ($0.clock.secondsSince1970, $0.clock.isFrozen) },
        "setClock": { $0.clock.set(secondsSince1970: 2_000_000_000) },
        "advanceClock": { $0.clock.advance(by: .seconds(1)) },
        "freezeClock": { $0.clock.freeze() },
        "resumeClock": { $0.clock.resume() },
        "resetClock": { $0.clock.reset() },
        "listUsers": { _ = $0.users.all },
        "getUser": { _ = try #require($0.users["alice"]) },
        "putUser": { try $0.users.add(TestUser("carol")) },
        "deleteUser": { _ = try await $0.users.remove("bob") },
        "listClients": { _ = $0.clients.ids },
        "getClient": { _ = try #require($0.clients.metadata(of: "web")) },
        "putClient": { try await $0.clients.add(.publicApp("app", redirectURI: "http://127.0.0.1/callback")) },
        "deleteClient": { try await $0.clients.remove("native") },
        "listTenants": { _ = $0.tenantNames },
        "putTenant": { _ = try await $0.tenant("one", TestSetup()) },
        "resetTenant": { try await $0.tenant("one").reset() },
        "deleteTenant": { try await $0.removeTenant("one") },
        "listKeys": { _ = $0.keys.all },
        "rotateKeys": { try await $0.keys.rotate() },
        "withdrawKey": { try await $0.keys.withdraw(try #require($0.keys.all.first).id) },
        "signToken": { _ = try await $0.sign(["sub": "alice"], with: .unpublished(nil)) },
        "revokeToken": { try await $0.revoke("no-token") },
        "getSettings": { _ = $0.settings },
        "changeSettings": { try await $0.changeSettings(["rotation": "okta"]) },
        "listSessions": { _ = (try await $0.sessions(), try await $0.logins()) },
        "createSession": {
            _ = try await $0.tokens(for: "alice", client: "web", nonce: "n", resources: ["https://api.example"])
        },
        "endSession": { try await $0.endSession("no-session") },
        "endSessions": { try await $0.endSessions() },
        "listFamilies": { idp in
            _ = (try await idp.families(client: "web"), try await idp.familyGraph(user: "alice", as: .mermaid))
        },
        "getFamily": { _ = try await $0.families(of: "no-session") },
        "listRequests": { _ = $0.requests },
        "deleteRequests": { $0.forgetRequests() },
        "streamEvents": { _ = ($0.events(), $0.recordedEvents()) },
        "addFault": { try $0.faults.add(.drop, at: .responseSending, for: TestFilter(path: "/token"), nth: 2) },
        "listFaults": { _ = $0.faults.all },
        "getFault": { _ = ($0.faults.seenCount(of: 1), $0.faults.firedCount(of: 1), $0.faults.isSpent(1)) },
        "deleteFault": { $0.faults.remove(1) },
        "deleteFaults": { $0.faults.removeAll() },
        "addBarrier": { try $0.barriers.add(at: .refreshReceived, until: .refreshJudged) },
        "listBarriers": { _ = $0.barriers.all },
        "getBarrier": { _ = $0.barriers.all.map { ($0.heldCount, $0.isOver, $0.releasedClients) } },
        "openBarrier": { $0.barriers.all.first?.open() },
        "deleteBarrier": { $0.barriers.all.first?.remove() },
        "deleteBarriers": { $0.barriers.removeAll() },
        "addNextResponse": { try $0.answerNext(.error("invalid_grant")) },
        "listNextResponses": { _ = $0.waitingAnswers },
        "deleteNextResponse": { $0.takeBackAnswer(1) },
        "deleteNextResponses": { $0.takeBackAnswers() },
        "setNextLoginClaims": { $0.claimsOfNextLogin(["a": 1], for: "alice", count: 2) },
        "listNextLoginClaims": { _ = $0.waitingClaims },
        "deleteNextLoginClaims": { $0.takeBackClaims() },
        "decideDevice": { idp in
            let code = try await AppUnderTest(idp).post("/device_authorization", "client_id=web").text("user_code")
            try await idp.decideDevice(code, as: "alice")
        },
        "reset": { try await $0.reset() },
    ]

    @Test func everyOperationIsThereInSwift() async throws {
        try await withIdentityProvider { idp in
            let document = try await AppUnderTest(idp).get("/openapi.json").json
            let paths = try #require(document["paths"] as? [String: [String: Any]])
            let operations = paths.filter { $0.key.hasPrefix("/_pawl") }.values.flatMap { item in
                item.values.compactMap { ($0 as? [String: Any])?["operationId"] as? String }
            }
            #expect(operations.count > 45)
            #expect(Set(operations) == Set(Self.calls.keys))
        }
    }

    @Test(arguments: calls.keys.sorted())
    func works(_ operation: String) async throws {
        let call = try #require(Self.calls[operation])
        try await withIdentityProvider { idp in try await call(idp) }
    }
}
