import SessionClient

/// What the tests of a session share: time in their hands, and a store that fails when they say so.
protocol SessionTests {
    var time: VirtualTime { get }
    var store: WatchedStore { get }
}

extension SessionTests {
    func manager(_ desk: TokenDesk) -> SessionManager {
        SessionManager(server: desk, store: store, clock: time, alarm: time)
    }

    /// A session that began now and whose tokens are over after an hour.
    func signedIn(_ desk: TokenDesk) async throws -> SessionManager {
        let session = manager(desk)
        try await session.signIn(TokenDesk.grant(1, at: time.now()))
        return session
    }

    func token(_ session: SessionManager) async throws -> String { text(of: try await session.accessToken().secret) }

    /// A session whose tokens are over, and a refresh of it that waits at a gate in the server.
    func refreshing(_ desk: TokenDesk, at gate: Gate) async throws -> (SessionManager, Task<AccessToken, any Error>) {
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let refreshing = Task { try await session.accessToken() }
        await gate.arrival()
        return (session, refreshing)
    }
}
