import IdentityProvider
import OAuth
import Primitives
import Synchronization
import Testing

/// Many requests at once under every profile.
@Suite struct RotationRaceTests {
    private static let taskCount = 24

    private func race(_ provider: GrantsProvider, _ token: String) async -> [Answer] {
        await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<Self.taskCount { group.addTask { await provider.refresh(token, as: "app") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Never more refresh tokens than the policy allows, and what was handed out is known.
    @Test(arguments: RotationHistoryTests.policies)
    func aRaceHasNoMoreWinnersThanThePolicySays(text: String) async throws {
        let policy = try RotationPolicy(parsing: text)
        let provider = try await GrantsProvider { $0.rotation = policy }
        let (family, token) = try await provider.family(client: "app")
        // So that a young token is none any more.
        provider.clock.advance(by: .seconds(3))
        let answers = await race(provider, token)
        let given = Set(answers.compactMap { $0.json?["refresh_token"]?.string })
        #expect(answers.contains { $0.status == 200 })
        #expect(given.count <= (policy.replacesSibling ? 1 + (policy.count ?? 0) : policy.maximumLiveLeafCount))
        let kept = try #require(try await provider.context.store.family(family.id))
        #expect(kept.rotation.leafCount <= policy.maximumLiveLeafCount)
        for token in given {
            let (id, node) = try #require(provider.context.refreshTokens.read(token))
            #expect(id == family.id && node <= kept.rotation.count)
        }
        // Two successors of one token are two numbers.
        #expect(kept.rotation.count >= given.count)
    }

    /// The loser of a race at Hydra: its request came while the winner's was judged. Its retry is a reuse.
    @Test func theLoserOfARaceAtHydraIsToldToRetry() async throws {
        // Both have read the family before either is judged.
        let arrived = Mutex(0)
        var store = GatedStore()
        store.beforeJudging = { () async throws(StoreError) in
            arrived.withLock { $0 += 1 }
            while arrived.withLock({ $0 < 2 }) { await Task.yield() }
        }
        let provider = try await GrantsProvider(store: store) { $0.rotation = .hydra }
        let (family, token) = try await provider.family(client: "app")
        async let one = provider.refresh(token, as: "app")
        async let two = provider.refresh(token, as: "app")
        let answers = await [one, two].sorted { $0.status < $1.status }
        #expect(answers.map(GrantsProvider.summary) == ["200 -", "400 invalid_request"])
        #expect(answers[1].errorDescription.contains("please retry"))
        #expect(try await provider.context.store.family(family.id)?.ended == nil)
        #expect(GrantsProvider.summary(await provider.refresh(token, as: "app")) == "400 invalid_grant")
        #expect(try await provider.context.store.family(family.id)?.ended?.reach == .everything)
        #expect(await provider.refresh(try answers[0].text("refresh_token"), as: "app").status == 400)
    }

    /// M1, M2: whatever a revocation meets, nothing is good afterwards.
    @Test(arguments: RotationHistoryTests.policies)
    func nothingLivesAfterARevocation(text: String) async throws {
        let policy = try RotationPolicy(parsing: text)
        let provider = try await GrantsProvider { $0.rotation = policy }
        let (_, token) = try await provider.family(client: "app")
        let answers = await withTaskGroup(of: Answer?.self) { group in
            for index in 0..<Self.taskCount {
                group.addTask {
                    guard index == Self.taskCount / 2 else { return await provider.refresh(token, as: "app") }
                    _ = await provider.post("/revoke", [("token", token)], as: "app")
                    return nil
                }
            }
            return await group.reduce(into: [Answer]()) { if let answer = $1 { $0.append(answer) } }
        }
        for answer in answers where answer.status == 200 {
            #expect(try await !provider.isActive(try answer.text("access_token")))
            guard let next = answer.json?["refresh_token"]?.string else { continue }
            #expect(await provider.refresh(next, as: "app").status == 400)
        }
        #expect(await provider.refresh(token, as: "app").status == 400)
    }
}
