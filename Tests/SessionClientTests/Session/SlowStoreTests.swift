import Primitives
import SessionClient
import Testing

/// A store that takes its time: longer than a lease lasts.
@Suite struct SlowStoreTests {
    /// Each write takes as long as the test says.
    private struct SlowStore: SessionStore {
        let inner = MemorySessionStore()
        let time: VirtualTime
        let delay: Duration

        func read() async throws(SessionStoreError) -> StoredEntry? { try await inner.read() }
        func isCurrent(_ version: UInt64) async throws(SessionStoreError) -> Bool { try await inner.isCurrent(version) }
        func writeOverDamage(_ payload: [UInt8]) async throws(SessionStoreError) -> StoreOutcome { .conflict }
        func write(_ payload: [UInt8], over version: UInt64?) async throws(SessionStoreError) -> StoreOutcome {
            time.advance(by: delay)
            return try await inner.write(payload, over: version)
        }
    }

    @Test(arguments: [(1, 3600, "a2"), (3, 3600, nil), (3, 3545, "a1")] as [(Int, Int, String?)])
    func nobodyClaimsForEver(_ delay: Int, _ age: Int, _ expected: String?) async throws {
        let time = VirtualTime()
        let session = SessionManager(
            server: TokenDesk.rotating(time), store: SlowStore(time: time, delay: .seconds(delay)), clock: time,
            alarm: time)
        try await session.signIn(TokenDesk.grant(1, at: time.now()))
        time.advance(by: .seconds(age))
        let token = try? await session.accessToken()
        #expect(token.map { text(of: $0.secret) } == expected)
    }
}
