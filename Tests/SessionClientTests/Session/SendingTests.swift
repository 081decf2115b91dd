import HTTPMessages
import Primitives
import SessionClient
import Testing

/// Requests that go out with the session's token.
@Suite struct SendingTests {
    private let time = VirtualTime()
    private let request = HTTPRequest(method: .post, scheme: "https", authority: "api.example", path: "/things")

    private func session(_ desk: TokenDesk) async throws -> SessionManager {
        let session = SessionManager(server: desk, store: MemorySessionStore(), clock: time, alarm: time)
        try await session.signIn(TokenDesk.grant(1, at: time.now()))
        return session
    }

    @Test func aRequestGoesOutOnceWithTheToken() async throws {
        let (desk, resource) = (TokenDesk.rotating(time), ScriptedResource(taking: ["a1"]))
        let (response, body) = try await session(desk).send(request, body: [1, 2], through: resource)
        #expect(response.status == .ok && body == [1, 2])
        #expect(resource.seen == ["a1"] && desk.presented.isEmpty)
    }

    @Test func aRefusedTokenIsReplacedAndTheRequestSentOnceMore() async throws {
        let (desk, resource) = (TokenDesk.rotating(time), ScriptedResource(taking: ["a2"]))
        let (response, body) = try await session(desk).send(request, body: [3], through: resource)
        #expect(response.status == .ok && body == [3])
        #expect(resource.seen == ["a1", "a2"] && desk.presented == ["r1"])
    }

    @Test func aRequestIsNotSentAThirdTime() async throws {
        let (desk, resource) = (TokenDesk.rotating(time), ScriptedResource(taking: []))
        let (response, _) = try await session(desk).send(request, through: resource)
        #expect(response.status == .unauthorized)
        #expect(resource.seen == ["a1", "a2"] && desk.presented == ["r1"])
    }

    /// R4: many requests are on their way with the old token; their refusals bring one refresh.
    @Test func R4_manyRefusalsOfOneTokenAreOneRefresh() async throws {
        let (desk, resource) = (TokenDesk.rotating(time), ScriptedResource(taking: ["a2"]))
        let session = try await session(desk)
        let request = request
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 {
                group.addTask { try await session.send(request, through: resource).0.status.code }
            }
            for try await code in group { #expect(code == 200) }
        }
        #expect(desk.presented == ["r1"])
    }

    @Test func whereTheRefreshFailsTheCallerIsToldWhy() async throws {
        let desk = TokenDesk { _ in .unavailable(Unavailability(.offline)) }
        let session = try await session(desk)
        let request = request
        await #expect(throws: SessionError.unavailable(.offline, retryAt: time.now() + .seconds(1))) {
            try await session.send(request, through: ScriptedResource(taking: []))
        }
    }

    @Test(arguments: [(OutboundFailure.unreachable, Unavailability.Cause.offline), (.cancelled, .cancelled)])
    func aRequestThatDoesNotArriveIsNoMatterOfTheSession(
        failure: OutboundFailure, cause: Unavailability.Cause
    ) async throws {
        let (desk, resource) = (TokenDesk.rotating(time), ScriptedResource(taking: ["a1"]))
        resource.fails(with: failure)
        let session = try await session(desk)
        let request = request
        await #expect(throws: SessionError.unavailable(cause, retryAt: nil)) {
            try await session.send(request, through: resource)
        }
        #expect(desk.presented.isEmpty)
    }

    /// R24: the clock of the device was set back an hour since the token came. The next answer of the server tells.
    @Test func theClockOfTheServerIsLearnedFromItsAnswers() async throws {
        let (desk, resource) = (TokenDesk.rotating(time), ScriptedResource(taking: ["a1", "a2"]))
        let session = try await session(desk)
        resource.says(date: time.now() + .seconds(3590))
        _ = try await session.send(request, through: resource)
        _ = try await session.send(request, through: resource)
        #expect(resource.seen == ["a1", "a2"])
        // And once: what came with the new token counts from then on.
        _ = try await session.accessToken()
        #expect(desk.presented == ["r1"])
    }

    /// What was learned while one token was stored says nothing about the next, which came with better news.
    @Test func whatWasLearnedWithOneTokenIsForgottenWithTheNext() async throws {
        let (gate, time, store) = (Gate(), time, MemorySessionStore())
        let desk = TokenDesk { token in
            await gate.pass()
            var grant = TokenDesk.grant(Int(token.dropFirst())! + 1, at: time.now())
            grant.serverTime = time.now()
            return .granted(grant)
        }
        let sessions = (0..<2).map { _ in
            SessionManager(server: desk, store: store, clock: time, alarm: time)
        }
        try await sessions[0].signIn(TokenDesk.grant(1, at: time.now()))
        let resource = ScriptedResource(taking: ["a1"])
        resource.says(date: time.now() + .seconds(3595))
        let request = request
        // Both find that the token is due by a clock that is far ahead.
        for session in sessions { _ = try await session.send(request, through: resource) }
        let all = Task {
            try await withThrowingTaskGroup(of: String.self) { group in
                for session in sessions { group.addTask { text(of: try await session.accessToken().secret) } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
        }
        await gate.arrival()
        gate.open()
        #expect(try await time.pass(.milliseconds(50), until: all) == ["a2"])
        #expect(desk.presented == ["r1"])
    }

    @Test func aSessionWithoutARefreshTokenIsNotSignedOutByAResource() async throws {
        let session = SessionManager(
            server: TokenDesk.rotating(time), store: MemorySessionStore(), clock: time, alarm: time)
        var grant = TokenDesk.grant(1, at: time.now())
        grant.refreshToken = nil
        let token = try await session.signIn(grant)
        #expect(try await session.send(request, through: ScriptedResource(taking: [])).0.status == .unauthorized)
        await #expect(throws: SessionError.refused(code: "invalid_token")) {
            try await session.accessToken(replacing: token)
        }
        #expect(text(of: try await session.accessToken().secret) == "a1")
    }

    /// What one user wanted is not done in the name of the next.
    @Test func aRequestIsNotRepeatedForTheNextUser() async throws {
        let (desk, store) = (TokenDesk.rotating(time), MemorySessionStore())
        let sessions = (0..<2).map { _ in SessionManager(server: desk, store: store, clock: time, alarm: time) }
        try await sessions[0].signIn(TokenDesk.grant(1, at: time.now()))
        let resource = ScriptedResource(taking: ["a10"])
        let (next, later) = (sessions[1], time)
        resource.before { _ = try? await next.signIn(TokenDesk.grant(10, at: later.now())) }
        #expect(try await sessions[0].send(request, through: resource).0.status == .unauthorized)
        #expect(resource.seen == ["a1"])
    }

    @Test(arguments: [3599, 3600])
    func aTokenIsNotReplacedByThatOfTheNextUser(after seconds: Int) async throws {
        let (desk, store) = (TokenDesk.rotating(time), MemorySessionStore())
        let sessions = (0..<2).map { _ in SessionManager(server: desk, store: store, clock: time, alarm: time) }
        let refused = try await sessions[0].signIn(TokenDesk.grant(1, at: time.now()))
        try await sessions[1].signIn(TokenDesk.grant(10, at: time.now()))
        time.advance(by: .seconds(seconds))
        await #expect(throws: SessionError.replacedByAnotherLogin) {
            try await sessions[0].accessToken(replacing: refused)
        }
        try await sessions[1].signOut()
        await #expect(throws: SessionError.signedOut(SignOut(.user, at: time.now()))) {
            try await sessions[0].accessToken(replacing: refused)
        }
    }
}
