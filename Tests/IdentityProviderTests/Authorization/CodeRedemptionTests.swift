import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import TestSupport
import Testing

@Suite struct CodeRedemptionTests {
    let idp: ProviderUnderTest

    init() async throws { idp = try await .signIn() }

    @Test(
        arguments: [
            ["code_verifier": nil],
            ["code_verifier": String(repeating: "v", count: 43)],
            ["code_verifier": AuthorizationQuery.verifier + "A"],
            // RFC 7636 section 4.6: the challenge is no verifier for itself.
            ["code_verifier": AuthorizationQuery.challenge],
            ["redirect_uri": nil],
            ["redirect_uri": "http://127.0.0.1/"],
            ["redirect_uri": "http://127.0.0.1/callback/"],
            ["redirect_uri": "http://127.0.0.1:80/callback"],
            // RFC 6749 section 4.1.3: MUST be issued to this client.
            ["client_id": "native"],
            ["code": "ac1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
        ] as [[String: String?]])
    func refusesACodeThatIsPresentedWrongly(changes: [String: String?]) async throws {
        let code = try await idp.code()
        let answer = await idp.redeem(code, changes)
        #expect(answer.status == 400)
        #expect(answer.error == "invalid_grant")
        // Whoever has but the code cannot spend it.
        #expect(await idp.redeem(code).status == 200)
    }

    @Test func refusesAMalformedRequest() async throws {
        let code = try await idp.code()
        #expect(await idp.redeem("").error == "invalid_request")
        #expect(await idp.redeem(code, ["code_verifier": "short"]).error == "invalid_request")
        #expect(await idp.redeem(code, ["code_verifier": AuthorizationQuery.verifier + " "]).error == "invalid_request")
        #expect(await idp.redeem(code, ["resource": "x"]).error == "invalid_target")
        #expect(await idp.redeem(code).status == 200)
    }

    @Test func refusesACodeOfAConfidentialClientFromAnother() async throws {
        let idp = try await ProviderUnderTest.signIn([.underTest("other", secret: "secret")])
        let code = try await idp.code(.service())
        #expect(
            await idp.redeem(code, ["client_id": nil, "code_verifier": nil], basic: "other:secret").error
                == "invalid_grant")
        // RFC 6749 section 4.1.3: a confidential client MUST authenticate.
        #expect(await idp.redeem(code, ["client_id": "service", "code_verifier": nil]).error == "invalid_client")
        #expect(
            await idp.redeem(code, ["client_id": nil, "code_verifier": nil], basic: "service:wrong").error
                == "invalid_client")
        #expect(await idp.redeemAsService(code).status == 200)
    }

    @Test func refusesAClientThatMayNotUseTheGrant() async throws {
        let idp = try await ProviderUnderTest.signIn([
            .underTest("none") { $0.grants = ["refresh_token"] }
        ])
        let page = try await Browser(idp).authorize(["client_id": "none"])
        #expect(page.parameters["error"] == "unauthorized_client")
        #expect(await idp.redeem("ac1.x", ["client_id": "none"]).error == "unauthorized_client")
    }

    /// RFC 9700 section 4.8.2: a verifier for a code without challenge means that somebody took the challenge away.
    @Test func refusesADowngrade() async throws {
        let code = try await idp.code(.service())
        let answer = await idp.redeemAsService(code, ["code_verifier": AuthorizationQuery.verifier])
        #expect(answer.error == "invalid_grant")
        // And the other way: with a challenge, a confidential client needs its verifier too.
        let challenged = try await idp.code(
            .service(["code_challenge": AuthorizationQuery.challenge, "code_challenge_method": "S256"]))
        #expect(await idp.redeemAsService(challenged).error == "invalid_grant")
        #expect(
            await idp.redeemAsService(challenged, ["code_verifier": AuthorizationQuery.verifier]).status == 200)
    }

    /// RFC 6749 section 4.1.2: short-lived. The last moment counts.
    @Test(arguments: [(59_999, 200), (60_000, 400)])
    func expires(after milliseconds: Int, status: Int) async throws {
        let code = try await idp.code()
        idp.clock.advance(by: .milliseconds(milliseconds))
        #expect(await idp.redeem(code).status == status)
    }

    /// RFC 6749 section 4.1.2: MUST NOT be used more than once; if it is, what it gave SHOULD be revoked.
    @Test func aReplayRevokesWhatTheCodeGave() async throws {
        let code = try await idp.code(AuthorizationQuery(["scope": "openid offline_access"]))
        let tokens = await idp.redeem(code)
        let access = try tokens.text("access_token")
        let refreshed = await idp.refresh(try tokens.text("refresh_token"))
        #expect(try await idp.isActive(access))
        #expect(await idp.redeem(code).error == "invalid_grant")
        #expect(try await !idp.isActive(access))
        #expect(try await !idp.isActive(try refreshed.text("access_token")))
        #expect(await idp.refresh(try refreshed.text("refresh_token")).error == "invalid_grant")
        let families = try await idp.context.store.families(where: { _ in true }, limit: 9)
        #expect(families.map(\.ended?.reason) == [.codeReplayed])
        #expect(idp.log.lines.contains { $0.contains("code.replayed") })
    }

    /// Who cannot redeem a code cannot make others lose what it gave either.
    @Test func aReplayOfSomebodyElseRevokesNothing() async throws {
        let code = try await idp.code()
        let tokens = await idp.redeem(code)
        #expect(await idp.redeem(code, ["client_id": "native"]).error == "invalid_grant")
        #expect(await idp.redeem(code, ["code_verifier": String(repeating: "v", count: 43)]).error == "invalid_grant")
        #expect(try await idp.isActive(try tokens.text("access_token")))
    }

    /// Exactly one of all who redeem a code at once gets tokens, and since the others are replays, they end.
    @Test func oneOfManyWins() async throws {
        for _ in 0..<20 {
            let code = try await idp.code()
            let answers = await withTaskGroup(of: Answer.self) { group in
                for _ in 0..<16 { group.addTask { await idp.redeem(code) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let winners = answers.filter { $0.status == 200 }
            #expect(winners.count <= 1)
            #expect(answers.filter { $0.error == "invalid_grant" }.count == answers.count - winners.count)
            for winner in winners {
                #expect(try await !idp.isActive(try winner.text("access_token")))
                #expect(await idp.refresh(try winner.text("refresh_token")).error == "invalid_grant")
            }
        }
    }

    /// The replay comes when the first use has spent the code and not begun its family yet.
    @Test func aReplayRevokesWhatTheCodeIsAboutToGive() async throws {
        let gate = FamilyGate()
        let idp = try await ProviderUnderTest.signIn(store: GatedStore(gate: gate)) { $0.recordedRequests = 100 }
        let code = try await idp.code()
        idp.context.requests.removeAll()
        let (first, replay) = await idp.redeemTwice(code, at: gate)
        #expect(first.error == "invalid_grant" && replay.error == "invalid_grant")
        let families = try await idp.context.store.families(where: { _ in true }, limit: 9)
        #expect(families.map(\.ended?.reason) == [.codeReplayed])
        // Both were about it: the replay that has ended it, and the first use that came too late.
        let records = idp.context.requests.records()
        #expect(records.map(\.error) == ["invalid_grant", "invalid_grant"])
        #expect(records.map(\.families) == [families.map(\.id), families.map(\.id)])
    }

    @Test func aFamilyThatHasEndedBeforeItBeganNeverBegins() async throws {
        let store: any ProviderStore = MemoryStore()
        let terms = FamilyTerms(
            id: FamilyID(from: SystemRandom()), clientID: "web", userID: "alice", scope: .empty,
            began: idp.clock.now(), expires: nil)
        var ended = Family(terms)
        ended.end(.codeReplayed, at: idp.clock.now())
        #expect(try await store.begin(ended).family.ended != nil)
        #expect(try await store.begin(Family(terms)).family.ended?.reason == .codeReplayed)
        #expect(try await store.family(terms.id)?.ended != nil)
    }

    /// RFC 9449 section 10: without the key that the request named, the code is worth nothing.
    @Test func refusesACodeWithoutTheKeyItIsBoundTo() async throws {
        let thumbprint = Base64URL.encode([UInt8](repeating: 7, count: 32))
        let code = try await idp.code(AuthorizationQuery(["dpop_jkt": thumbprint]))
        #expect(await idp.redeem(code).error == "invalid_grant")
    }

    /// RFC 8707 section 2.2.
    @Test func givesTokensForTheResourcesThatWereGranted() async throws {
        var query = AuthorizationQuery(["resource": "https://one.example/"])
        query.add("resource", "https://two.example/")
        let code = try await idp.code(query)
        #expect(await idp.redeem(code, ["resource": "https://three.example/"]).error == "invalid_target")
        let tokens = await idp.redeem(code, ["resource": "https://two.example/"])
        let token = try await idp.verified(try tokens.text("access_token"), audience: "https://two.example/")
        #expect(token.claims.audience == ["https://two.example/"])
        let all = await idp.redeem(try await idp.code(query))
        let both = try await idp.verified(try all.text("access_token"), audience: "https://one.example/")
        #expect(both.claims.audience == ["https://one.example/", "https://two.example/"])
    }

    @Test func holdsNoCodeInTheStore() async throws {
        let code = try await idp.code()
        // By its text it is found only through its digest.
        let found = try await idp.context.store.consumeCode(
            named: TokenDigest(of: code), at: idp.clock.now(), if: { _ in false })
        #expect(found == nil)
        #expect(!idp.log.lines.contains { $0.contains(code) })
    }
}
