import Primitives
import SessionClient
import Testing

/// R24: the clock of the device and that of the server differ, and nobody refreshes too often or too late for that.
@Suite struct ClockSkewTests {
    private let time = VirtualTime()

    private func session(_ desk: TokenDesk, serverIsAheadBy skew: Duration) async throws -> SessionManager {
        let session = SessionManager(server: desk, store: MemorySessionStore(), clock: time, alarm: time)
        var grant = TokenDesk.grant(1, at: time.now())
        grant.serverTime = time.now() + skew
        try await session.signIn(grant)
        return session
    }

    @Test(arguments: [-86_400, -3600, -3, 0, 3, 3600, 86_400])
    func R24_aTokenLivesAsLongAsItsServerSaidWhateverTheClocksShow(skew: Int) async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await session(desk, serverIsAheadBy: .seconds(skew))
        time.advance(by: .seconds(3600 - 92))
        #expect(text(of: try await session.accessToken().secret) == "a1")
        time.advance(by: .seconds(34))
        #expect(text(of: try await session.accessToken().secret) == "a2")
    }

    @Test func theEndIsThatOfTheServersClock() async throws {
        let session = try await session(.rotating(time), serverIsAheadBy: .seconds(3600))
        let expires = try await session.accessToken().expires
        #expect(expires == time.now() + .seconds(7200) + .milliseconds(500))
    }

    @Test func lessThanDateCanTellIsNoDifference() {
        let now = time.now()
        #expect(ClockSkew.learned(from: now + .seconds(1), at: now) == .zero)
        #expect(ClockSkew.learned(from: now - .seconds(2), at: now) == .zero)
        #expect(ClockSkew.learned(from: now + .seconds(60), at: now) == .milliseconds(60_500))
        #expect(ClockSkew.learned(from: now - .seconds(60), at: now) == .milliseconds(-59_500))
    }
}
