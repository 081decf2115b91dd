import Primitives
import SessionClient
import Testing

/// What is refreshed when, and for whom. The numbers are those of the catalogue of races.
@Suite struct RefreshTests: SessionTests {
    let time = VirtualTime()
    let store = WatchedStore()

    @Test func aGoodTokenIsGivenWithoutAskingAnybody() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        for _ in 0..<10 { #expect(try await token(session) == "a1") }
        #expect(desk.presented.isEmpty)
        // The store says that nothing has changed, which costs less than to read it.
        #expect(store.reads == 1)
    }

    @Test func aTokenIsReplacedBeforeItsEndAndNotSooner() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600 - 91))
        #expect(try await token(session) == "a1")
        time.advance(by: .seconds(32))
        #expect(try await token(session) == "a2")
        #expect(desk.presented == ["r1"])
    }

    @Test func aShortTokenIsUsedForMostOfItsLife() async throws {
        let desk = TokenDesk.rotating(time)
        let session = manager(desk)
        try await session.signIn(TokenDesk.grant(1, at: time.now(), lifetime: .seconds(8)))
        time.advance(by: .milliseconds(5900))
        #expect(try await token(session) == "a1")
        time.advance(by: .milliseconds(200))
        #expect(try await token(session) == "a2")
    }

    @Test func R2_aBurstOfCallersRefreshesOnce() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<50 { group.addTask { try await token(session) } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(tokens == ["a2"])
        #expect(desk.presented == ["r1"])
    }

    @Test func R2_managersThatShareAStoreRefreshOnce() async throws {
        let desk = TokenDesk.rotating(time)
        _ = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let sessions = (0..<5).map { _ in manager(desk) }
        let all = Task {
            try await withThrowingTaskGroup(of: String.self) { group in
                for session in sessions { group.addTask { try await token(session) } }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
        }
        #expect(try await time.pass(.milliseconds(50), until: all) == ["a2"])
        #expect(desk.presented == ["r1"])
    }

    @Test func R5_aTokenThatWasReplacedIsNotReplacedAgain() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        let old = try await session.accessToken()
        #expect(text(of: try await session.accessToken(replacing: old).secret) == "a2")
        // A late 401 for the old one.
        #expect(text(of: try await session.accessToken(replacing: old).secret) == "a2")
        #expect(desk.presented == ["r1"])
    }

    @Test func R7_whoLosesTakesWhatTheWinnerHasStored() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        let sibling = manager(desk)
        let old = try await session.accessToken()
        #expect(text(of: try await sibling.accessToken(replacing: old).secret) == "a2")
        #expect(try await token(session) == "a2")
    }

    @Test func R1_aSiblingsTokenIsTakenWhenOursIsRefused() async throws {
        let (time, store) = (time, store)
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        // While ours is on its way, a sibling that knows no claims stores what it got for the same token.
        let refused = TokenDesk { _ in
            var record = try! await store.record()!
            record.content = .signedIn(
                Credential(
                    TokenDesk.grant(2, at: time.now()), replacing: record.credential, ahead: RefreshAhead(), chance: 0))
            record.rotation = nil
            _ = try! await store.write(record.encoded, over: try! await store.read()!.version)
            return ModelServer.refusal
        }
        let ours = manager(refused)
        let old = try await session.accessToken()
        #expect(text(of: try await ours.accessToken(replacing: old).secret) == "a2")
        #expect(ours.state != .signedOut(SignOut(.refused(code: "invalid_grant"))))
    }

    @Test func R8_aFailedRefreshLeavesATokenThatIsGood() async throws {
        let desk = TokenDesk { _ in .unavailable(Unavailability(.offline)) }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3590))
        #expect(try await token(session) == "a1")
        guard case .active = session.state else { return #expect(Bool(false), "the token is still good") }
        time.advance(by: .seconds(10))
        await #expect(throws: SessionError.unavailable(.offline, retryAt: time.now() + .seconds(2))) {
            try await session.accessToken()
        }
        guard case .offline = session.state else { return #expect(Bool(false), "there is no good token") }
    }

    @Test(arguments: [
        TokenAnswer.unavailable(Unavailability(.unreadable)), .unavailable(Unavailability(.cancelled)),
        .unavailable(Unavailability(.server(status: 503))), .refused(TokenRefusal(code: "invalid_client")),
        .refused(TokenRefusal(code: "invalid_request")), .refused(TokenRefusal(code: "INVALID_GRANT")),
        .refused(TokenRefusal(code: "server_error")),
    ])
    func R9_nothingButInvalidGrantEndsASession(answer: TokenAnswer) async throws {
        let desk = TokenDesk { _ in answer }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(try await store.record()?.credential != nil)
        time.advance(by: .seconds(60))
        desk.answers { [time] _ in .granted(TokenDesk.grant(2, at: time.now())) }
        #expect(try await token(session) == "a2")
    }

    @Test func invalidGrantEndsASession() async throws {
        let desk = TokenDesk { _ in ModelServer.refusal }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let ended = SignOut(.refused(code: "invalid_grant"), at: time.now())
        await #expect(throws: SessionError.signedOut(ended)) { try await session.accessToken() }
        #expect(session.state == .signedOut(ended))
        // And is not asked for again.
        await #expect(throws: SessionError.signedOut(ended)) { try await session.accessToken() }
        #expect(desk.presented == ["r1"])
    }

    @Test func R22_whatHasFailedAMomentAgoIsNotTriedByEachRequest() async throws {
        let desk = TokenDesk { _ in .unavailable(Unavailability(.server(status: 500))) }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        for _ in 0..<20 { await #expect(throws: SessionError.self) { try await session.accessToken() } }
        #expect(desk.presented.count == 1)
        time.advance(by: .seconds(1))
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(desk.presented.count == 2)
        // The pause is longer each time.
        time.advance(by: .seconds(1))
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(desk.presented.count == 2)
    }

    @Test func aServerThatAsksForTimeGetsIt() async throws {
        let desk = TokenDesk { _ in .unavailable(Unavailability(.server(status: 429), retryAfter: .seconds(300))) }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        await #expect(throws: SessionError.unavailable(.server(status: 429), retryAt: time.now() + .seconds(300))) {
            try await session.accessToken()
        }
        time.advance(by: .seconds(299))
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(desk.presented.count == 1)
        time.advance(by: .seconds(1))
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(desk.presented.count == 2)
    }

    /// A pause that was chosen under a clock which has been set back since keeps nobody waiting for as long.
    @Test func aPauseDoesNotLastUntilAClockHasCaughtUp() async throws {
        let desk = TokenDesk { _ in .unavailable(Unavailability(.offline)) }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(86_400))
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        time.advance(by: .seconds(-80_000))
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(desk.presented.count == 2)
    }

    @Test func R11_aForcedRefreshDoesNotGetBackTheTokenThatWasRejected() async throws {
        let (gate, time) = (Gate(), time)
        let desk = TokenDesk { _ in
            await gate.pass()
            return .unavailable(Unavailability(.cancelled))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3590))
        let ordinary = Task { try await session.accessToken() }
        await gate.arrival()
        let forced = Task { try await session.accessToken(replacing: try await ordinary.value) }
        let joined = Task { try await token(session) }
        desk.answers { _ in .granted(TokenDesk.grant(2, at: time.now())) }
        gate.open()
        #expect(text(of: try await ordinary.value.secret) == "a1")
        #expect(text(of: try await forced.value.secret) == "a2")
        _ = try await joined.value
    }

    /// Two that wait for one flight, and want different things of it.
    @Test func R11_whoJoinsAFlightGetsWhatHeWanted() async throws {
        let (gate, time) = (Gate(), time)
        let desk = TokenDesk { _ in
            await gate.pass()
            return .unavailable(Unavailability(.cancelled))
        }
        let session = try await signedIn(desk)
        let first = try await session.accessToken()
        time.advance(by: .seconds(3590))
        let ordinary = Task { try await token(session) }
        await gate.arrival()
        let forced = Task { try await session.accessToken(replacing: first) }
        for _ in 0..<200 { await Task.yield() }
        desk.answers { _ in .granted(TokenDesk.grant(2, at: time.now())) }
        gate.open()
        #expect(try await ordinary.value == "a1")
        #expect(text(of: try await forced.value.secret) == "a2")
    }

    @Test func R8_whoJoinsAForcedRefreshThatFailsGetsTheTokenThatIsGood() async throws {
        let gate = Gate()
        let desk = TokenDesk { _ in
            await gate.pass()
            return .unavailable(Unavailability(.offline))
        }
        let session = try await signedIn(desk)
        let first = try await session.accessToken()
        time.advance(by: .seconds(3590))
        let forced = Task { try await session.accessToken(replacing: first) }
        await gate.arrival()
        let ordinary = Task { try await token(session) }
        for _ in 0..<200 { await Task.yield() }
        gate.open()
        await #expect(throws: SessionError.unavailable(.offline, retryAt: time.now() + .seconds(1))) {
            try await forced.value
        }
        #expect(try await ordinary.value == "a1")
        #expect(desk.presented == ["r1"])
    }

    @Test func R12_anAnswerThatNeverComesIsGivenUp() async throws {
        let (gate, time) = (Gate(), time)
        let desk = TokenDesk { _ in
            await gate.pass()
            return .granted(TokenDesk.grant(2, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let waiting = Task { try await session.accessToken() }
        await gate.arrival()
        await #expect(throws: SessionError.self) { try await time.pass(until: waiting) }
        desk.answers { _ in .granted(TokenDesk.grant(2, at: time.now())) }
        time.advance(by: .seconds(60))
        #expect(try await token(session) == "a2")
        gate.open()
    }

    @Test func R10_aWaitersCancellationIsHisOwn() async throws {
        let (gate, time) = (Gate(), time)
        let desk = TokenDesk { _ in
            await gate.pass()
            return .granted(TokenDesk.grant(2, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let first = Task { try await session.accessToken() }
        await gate.arrival()
        let second = Task { try await token(session) }
        first.cancel()
        await #expect(throws: SessionError.cancelled) { try await first.value }
        gate.open()
        #expect(try await second.value == "a2")
        #expect(desk.presented == ["r1"])
    }

    @Test func R10_whoWasCancelledBeforeHeAskedDoesNotWait() async throws {
        let gate = Gate()
        let desk = TokenDesk { _ in
            await gate.pass()
            return .unavailable(Unavailability(.offline))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let asking = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await session.accessToken()
        }
        await #expect(throws: SessionError.cancelled) { try await asking.value }
        await gate.arrival()
        gate.open()
    }

    @Test func aSessionWithoutARefreshTokenEndsWithItsAccessToken() async throws {
        let desk = TokenDesk.rotating(time)
        let session = manager(desk)
        var grant = TokenDesk.grant(1, at: time.now())
        grant.refreshToken = nil
        try await session.signIn(grant)
        time.advance(by: .seconds(3599))
        #expect(try await token(session) == "a1")
        time.advance(by: .seconds(1))
        await #expect(throws: SessionError.signedOut(SignOut(.expired, at: time.now()))) {
            try await session.accessToken()
        }
    }

    /// RFC 6749 section 6: the server may go on with the refresh token that was presented.
    @Test func aRefreshTokenThatIsNotReplacedIsKept() async throws {
        let time = time
        let desk = TokenDesk { _ in
            var grant = TokenDesk.grant(2, at: time.now())
            grant.refreshToken = nil
            return .granted(grant)
        }
        let session = try await signedIn(desk)
        for _ in 0..<2 {
            time.advance(by: .seconds(3600))
            _ = try await token(session)
        }
        #expect(desk.presented == ["r1", "r1"])
    }

    /// What the server has spent is not presented again because its successor came without an access token.
    @Test func R16_aSuccessorWithoutAnAccessTokenIsKept() async throws {
        let time = time
        let desk = TokenDesk { token in
            token == "r1"
                ? .incomplete(TokenSuccessor(refreshToken: Secret(utf8: "r2")))
                : .granted(TokenDesk.grant(3, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3590))
        // R8: the present one is good for a while.
        #expect(try await token(session) == "a1")
        #expect(try await store.record()?.credential?.refreshToken.map(text(of:)) == "r2")
        // R22: and the server is left alone for a moment.
        #expect(try await token(session) == "a1")
        #expect(desk.presented == ["r1"])
        time.advance(by: .seconds(10))
        #expect(try await token(session) == "a3")
        #expect(desk.presented == ["r1", "r2"])
    }

    @Test func aTokenThatIsOverIsNotGivenForWantOfAnother() async throws {
        let desk = TokenDesk { _ in .incomplete(TokenSuccessor(refreshToken: Secret(utf8: "r2"))) }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let unreadable = SessionError.unavailable(.unreadable, retryAt: time.now() + .seconds(1))
        await #expect(throws: unreadable) { try await session.accessToken() }
        await #expect(throws: unreadable) { try await session.accessToken() }
        #expect(desk.presented == ["r1"])
    }

    /// R11: a token that was refused is not given back for want of another.
    @Test func aTokenThatWasRefusedIsNotGivenForWantOfAnother() async throws {
        let desk = TokenDesk { _ in .incomplete(TokenSuccessor(refreshToken: Secret(utf8: "r2"))) }
        let session = try await signedIn(desk)
        let refused = try await session.accessToken()
        let unreadable = SessionError.unavailable(.unreadable, retryAt: time.now() + .seconds(1))
        await #expect(throws: unreadable) { try await session.accessToken(replacing: refused) }
        await #expect(throws: unreadable) { try await session.accessToken(replacing: refused) }
        #expect(desk.presented == ["r1"])
    }
}
