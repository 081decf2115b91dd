import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import Synchronization
import Testing

/// M1 of the catalogue of races: whatever happens at the moment of a logout, nothing of the login lives on.
@Suite struct LogoutRaceTests {
    private static let taskCount = 32

    /// What clients got hold of, whenever it was.
    private final class Loot: Sendable {
        private let kept = Mutex<(access: [String], refresh: [String])>(([], []))

        func keep(_ answer: Answer) {
            guard answer.status == 200, let access = answer.json?["access_token"]?.string,
                let refresh = answer.json?["refresh_token"]?.string
            else { return }
            kept.withLock {
                $0.access.append(access)
                $0.refresh.append(refresh)
            }
        }

        var access: [String] { kept.withLock { $0.access } }
        var refresh: [String] { kept.withLock { $0.refresh } }
    }

    private func expectNothingLives(_ loot: Loot, _ idp: ProviderUnderTest) async throws {
        for token in loot.access { #expect(try await !idp.isActive(token)) }
        for token in loot.refresh {
            let answer = await idp.refresh(token, client: "rp")
            #expect(answer.status == 400)
            #expect(answer.error == "invalid_grant")
        }
    }

    /// Runs what clients do, each in a task of its own, and a logout among them.
    private func race(
        _ setup: LogoutSetup, hint: String, at position: Int, _ act: @escaping @Sendable (Int) async -> Answer
    ) async throws -> Loot {
        let loot = Loot()
        let cookies = setup.browser.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        let path = LogoutSetup.path(["id_token_hint": hint])
        let idp = setup.idp
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<Self.taskCount {
                if index == position {
                    group.addTask {
                        let answer = await idp.respond(.get, path, [.cookie: cookies])
                        #expect(answer.status == 200)
                        // After the logout has returned, a refresh token that was good before it is not.
                        for token in loot.refresh {
                            #expect(await idp.refresh(token, client: "rp").error == "invalid_grant")
                        }
                        for token in loot.access {
                            #expect((try? await idp.isActive(token)) == false)
                        }
                    }
                }
                group.addTask { loot.keep(await act(index)) }
            }
        }
        return loot
    }

    @Test(arguments: [0, 8, 16, 24, 31])
    func noRefreshOutlivesALogout(position: Int) async throws {
        let setup = try await LogoutSetup()
        var tokens: [LogoutSetup.Tokens] = []
        for _ in 0..<Self.taskCount { tokens.append(try await setup.signIn()) }
        let (all, idp) = (tokens, setup.idp)
        let loot = try await race(setup, hint: tokens[0].id, at: position) { index in
            await idp.refresh(all[index].refresh, client: "rp")
        }
        try await expectNothingLives(loot, idp)
        for token in tokens {
            #expect(try await !idp.isActive(token.access))
            #expect(await idp.refresh(token.refresh, client: "rp").error == "invalid_grant")
        }
    }

    @Test(arguments: [0, 8, 16, 24, 31])
    func noCodeOutlivesALogout(position: Int) async throws {
        let setup = try await LogoutSetup()
        let hint = try await setup.signIn("quiet").id
        var codes: [String] = []
        for _ in 0..<Self.taskCount { codes.append(try await setup.code()) }
        let (all, idp) = (codes, setup.idp)
        let loot = try await race(setup, hint: hint, at: position) { index in
            await idp.redeem(all[index], ["client_id": "rp"])
        }
        try await expectNothingLives(loot, idp)
        for code in codes { #expect(await idp.redeem(code, ["client_id": "rp"]).error == "invalid_grant") }
        // Whoever got tokens before is told of the logout, and whoever did not got none.
        #expect(setup.outbound.sent.count == (loot.access.isEmpty ? 0 : 1))
    }

    /// The narrowest place: the login was found alive, the family has not begun, and the logout comes in between.
    @Test func aFamilyThatBeginsInTheMiddleOfALogoutIsDead() async throws {
        let gate = FamilyGate()
        let setup = try await LogoutSetup(store: GatedStore(gate: gate))
        let hint = try await setup.signIn("quiet").id
        let code = try await setup.code()
        gate.close()
        let idp = setup.idp
        async let answer = idp.redeem(code, ["client_id": "rp"])
        await gate.waitForSomebody()
        #expect(try await setup.logOut(["id_token_hint": hint]).saysSignedOut)
        gate.open()
        let loot = Loot()
        loot.keep(await answer)
        #expect(loot.access.count == 1, "the redemption came first, and does not know of the logout")
        try await expectNothingLives(loot, idp)
        #expect(setup.outbound.sent.count == 1, "and its client is told")
    }
}
