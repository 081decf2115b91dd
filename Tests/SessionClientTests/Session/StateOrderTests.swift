import Primitives
import SessionClient
import Testing

/// States are shown in the order in which they came to be, whatever is read late.
@Suite struct StateOrderTests: SessionTests {
    let time = VirtualTime()
    let store = WatchedStore()

    /// Begins something that reads the store before `meanwhile`, and hears what was in it after that.
    private func reading<Value: Sendable>(
        _ begin: @escaping @Sendable () async throws -> Value, _ meanwhile: () async throws -> Void
    ) async throws {
        let gate = Gate()
        store.holdReads(at: gate)
        let late = Task { try await begin() }
        await gate.arrival()
        store.holdReads(at: nil)
        try await meanwhile()
        gate.open()
        _ = try? await late.value
    }

    @Test func aSignInThatIsToldLateDoesNotUndoASignOut() async throws {
        let (session, time, gate) = (manager(.rotating(time)), time, Gate())
        store.holdWrites(at: gate)
        let late = Task { try await session.signIn(TokenDesk.grant(1, at: time.now())) }
        await gate.arrival()
        store.holdWrites(at: nil)
        try await session.signOut()
        gate.open()
        _ = try await late.value
        #expect(session.state == .signedOut(SignOut(.user, at: time.now())))
    }

    @Test func aTokenThatWasReadLateDoesNotGoOverItsSuccessor() async throws {
        let first = try await signedIn(.rotating(time)).accessToken()
        let session = manager(.rotating(time))
        try await reading({ try await session.accessToken() }) {
            _ = try await session.accessToken(replacing: first)
        }
        guard case .active(let info) = session.state else { return #expect(Bool(false), "it is active") }
        #expect(info.mark.generation == 2)
    }

    @Test func anEmptyStoreThatWasReadLateDoesNotGoOverASignIn() async throws {
        let (session, time) = (manager(.rotating(time)), time)
        try await reading({ try await session.accessToken() }) {
            try await session.signIn(TokenDesk.grant(1, at: time.now()))
        }
        guard case .active = session.state else { return #expect(Bool(false), "somebody has signed in") }
    }

    @Test func aLockThatWasSeenLateDoesNotGoOverASignIn() async throws {
        let (session, time) = (manager(.rotating(time)), time)
        store.fail(with: .locked(reason: "not unlocked yet"))
        try await reading({ try await session.accessToken() }) {
            store.fail(with: nil)
            try await session.signIn(TokenDesk.grant(1, at: time.now()))
        }
        guard case .active = session.state else { return #expect(Bool(false), "somebody has signed in") }
    }

    /// What is read after all that was shown is how things are, whatever its number.
    @Test func aStoreThatWasEmptiedShowsThat() async throws {
        let session = try await signedIn(.rotating(time))
        store.empty()
        await #expect(throws: SessionError.signedOut(SignOut(.never))) { try await session.accessToken() }
        #expect(session.state == .signedOut(SignOut(.never)))
    }

    @Test func aLoginUnderAClockThatWasSetBackIsShown() async throws {
        let session = try await signedIn(.rotating(time))
        try await session.signIn(TokenDesk.grant(2, at: time.now()))
        store.empty()
        time.advance(by: .seconds(-86_400))
        let mark = try await manager(.rotating(time)).signIn(TokenDesk.grant(5, at: time.now())).mark
        _ = try await session.accessToken()
        guard case .active(let info) = session.state else { return #expect(Bool(false), "it is active") }
        #expect(info.mark == mark)
    }

    @Test func aNewLoginAfterDamageHasAnEpochOfItsOwn() async throws {
        let session = try await signedIn(.rotating(time))
        let first = try await session.accessToken().mark
        store.empty()
        #expect(try await session.signIn(TokenDesk.grant(5, at: time.now())).mark.epoch > first.epoch)
    }

    /// A flight was begun before the old token was shown once more: what it brings is newer all the same.
    @Test func whatARefreshBringsIsShownWhateverWasShownMeanwhile() async throws {
        let (time, gate) = (time, Gate())
        let desk = TokenDesk { _ in
            await gate.pass()
            return .granted(TokenDesk.grant(2, at: time.now()))
        }
        let session = try await signedIn(desk)
        let first = try await session.accessToken()
        let forced = Task { try await session.accessToken(replacing: first) }
        await gate.arrival()
        _ = try await session.accessToken()
        gate.open()
        _ = try await forced.value
        guard case .active(let info) = session.state else { return #expect(Bool(false), "it is active") }
        #expect(info.mark.generation == 2)
    }

    @Test func whatHasNotChangedIsNotShownAgain() async throws {
        let session = try await signedIn(.rotating(time))
        var states = session.states.makeAsyncIterator()
        for _ in 0..<3 { _ = try await session.accessToken() }
        try await session.signOut()
        guard case .active = await states.next() else { return #expect(Bool(false), "it was active") }
        #expect(await states.next() == .signedOut(SignOut(.user, at: time.now())))
    }
}
