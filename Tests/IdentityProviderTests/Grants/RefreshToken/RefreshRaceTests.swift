import IdentityProvider
import OAuth
import Primitives
import Testing

/// Many at once with one refresh token.
@Suite struct RefreshRaceTests {
    private static let taskCount = 32

    private static func race(
        _ provider: GrantsProvider, _ token: String
    ) async -> [Answer] {
        await withTaskGroup(of: Answer.self) { group in
            for _ in 0..<taskCount { group.addTask { await provider.refresh(token) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// RFC 9700 section 4.14.2, under load: one wins, everybody else is taken for a thief, and nothing stays alive.
    @Test(arguments: 1...10)
    func exactlyOneWinsWithTheStrictPolicy(round: Int) async throws {
        let provider = try await GrantsProvider()
        let (family, token) = try await provider.family()
        let answers = await Self.race(provider, token)
        let winners = answers.filter { $0.status == 200 }
        #expect(winners.count == 1)
        #expect(answers.count { GrantsProvider.summary($0) == "400 invalid_grant" } == Self.taskCount - 1)
        let kept = try #require(try await provider.context.store.family(family.id))
        #expect(kept.rotation.current == 2)
        #expect(kept.ended?.reason == .refreshTokenReused)
        #expect(try await !provider.isActive(try #require(winners.first).text("access_token")))
    }

    @Test func everybodyGetsTheSameWithTheReusablePolicy() async throws {
        let provider = try await GrantsProvider { $0.rotation = .reuse }
        let (family, token) = try await provider.family()
        let answers = await Self.race(provider, token)
        #expect(answers.allSatisfy { $0.status == 200 })
        #expect(Set(try answers.map { try $0.text("refresh_token") }) == [token])
        #expect(Set(try answers.map { try $0.text("access_token") }).count == Self.taskCount)
        #expect(try await provider.context.store.family(family.id)?.ended == nil)
    }

    /// Refreshes against the end of the family: whatever was given before is dead after.
    @Test(arguments: 1...10)
    func nothingLivesAfterTheEnd(round: Int) async throws {
        let provider = try await GrantsProvider { $0.rotation = .reuse }
        let (family, token) = try await provider.family()
        let now = provider.now
        let store = provider.context.store
        let answers = try await withThrowingTaskGroup(of: Answer?.self) { group in
            for index in 0..<Self.taskCount {
                group.addTask {
                    guard index == Self.taskCount / 2 else { return await provider.refresh(token) }
                    _ = try await store.judge(family.id) { $0.end(.revoked, at: now) }
                    return nil
                }
            }
            return try await group.reduce(into: [Answer]()) { if let answer = $1 { $0.append(answer) } }
        }
        for answer in answers where answer.status == 200 {
            #expect(try await !provider.isActive(try answer.text("access_token")))
        }
        #expect(await provider.refresh(token).status == 400)
    }
}
