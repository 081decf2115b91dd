import IdentityProvider
import JOSE
import OAuth
import Primitives
import Synchronization
import Testing

/// A refresh that was judged, and whose answer cannot be made: the client gets nothing, and its token is as good as before.
@Suite struct RotationTakenBackTests {
    /// Its ID tokens are signed with a key that is not there.
    private static let keyless = "keyless:secret"

    private func provider(
        _ rotation: String, listener: (any CheckpointListener)? = nil
    ) async throws -> GrantsProvider {
        let policy = try RotationPolicy(parsing: rotation)
        let provider = try await GrantsProvider(listener: listener) { $0.rotation = policy }
        // Put there later, for a configuration without the key is refused.
        try provider.context.clients.add(GrantsProvider.client("keyless") { $0.idTokenAlgorithm = .es384 })
        return provider
    }

    @Test(arguments: ["strict", "okta", "wso2", "keycloak"])
    func theTokenIsAsGoodAsBefore(rotation: String) async throws {
        let provider = try await provider(rotation)
        let (family, token) = try await provider.family(client: "keyless")
        for _ in 0..<2 {
            #expect(GrantsProvider.summary(await provider.refresh(token, as: Self.keyless)) == "500 server_error")
            #expect(try await provider.context.store.family(family.id)?.rotation == family.rotation)
            let record = provider.context.requests.records().last?.refresh
            #expect(record?.verdict == .refused && record?.given == nil)
        }
        // Without `openid` there is no ID token to be signed.
        #expect(await provider.refresh(token, as: Self.keyless, also: [("scope", "read")]).status == 200)
    }

    /// What a replay had changed goes back, too.
    @Test func aReplayIsNotCounted() async throws {
        let provider = try await provider("okta")
        let (family, token) = try await provider.family(client: "keyless")
        #expect(await provider.refresh(token, as: Self.keyless, also: [("scope", "read")]).status == 200)
        let before = try #require(try await provider.context.store.family(family.id)?.rotation)
        #expect(GrantsProvider.summary(await provider.refresh(token, as: Self.keyless)) == "500 server_error")
        #expect(try await provider.context.store.family(family.id)?.rotation == before)
    }

    /// Whoever has used the family between the judgement and its failure keeps what he got.
    @Test func nothingIsTakenFromSomebodyElse() async throws {
        let other = AnotherRequest()
        let provider = try await provider("okta", listener: other)
        let (family, token) = try await provider.family(client: "keyless")
        other.expect { await provider.refresh(token, as: Self.keyless, also: [("scope", "read")]) }
        #expect(GrantsProvider.summary(await provider.refresh(token, as: Self.keyless)) == "500 server_error")
        let answer = try #require(other.answer)
        #expect(answer.status == 200)
        let given = try #require(provider.context.refreshTokens.read(try answer.text("refresh_token")))
        #expect(try await provider.context.store.family(family.id)?.rotation.isLive(given.node) == true)
    }

    /// One request in the middle of another, which has been judged.
    private final class AnotherRequest: CheckpointListener {
        private let state = Mutex<(begin: (@Sendable () async -> Answer)?, answer: Answer?)>((nil, nil))

        func expect(_ begin: @escaping @Sendable () async -> Answer) { state.withLock { $0.begin = begin } }

        var answer: Answer? { state.withLock { $0.answer } }

        func reached(_ checkpoint: Checkpoint, by passage: Passage) async {
            guard checkpoint == .refreshCommitted else { return }
            let begin = state.withLock { $0.begin.take() }
            guard let answer = await begin?() else { return }
            state.withLock { $0.answer = answer }
        }
    }
}
