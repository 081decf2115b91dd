import Primitives
import SessionClient
import Testing

/// What a session does while its store has trouble, and what its readers are told when.
@Suite struct StoreTroubleTests: SessionTests {
    let time = VirtualTime()
    let store = WatchedStore()

    @Test func R17_aLockedStoreIsNotSignedOut() async throws {
        let desk = TokenDesk.rotating(time)
        _ = try await signedIn(desk)
        let session = manager(desk)
        store.fail(with: .locked(reason: "not unlocked yet"))
        await #expect(throws: SessionError.store(.locked(reason: "not unlocked yet"))) {
            try await session.accessToken()
        }
        #expect(session.state == .locked)
        store.fail(with: nil)
        #expect(text(of: try await session.accessToken().secret) == "a1")
        guard case .active = session.state else { return #expect(Bool(false), "it is unlocked") }
    }

    @Test func R17_aStoreThatLocksInTheMiddleOfARefreshIsNotSignedOut() async throws {
        let session = try await signedIn(.rotating(time))
        time.advance(by: .seconds(3600))
        store.failWrites(with: .locked(reason: "locked again"))
        await #expect(throws: SessionError.store(.locked(reason: "locked again"))) { try await session.accessToken() }
        #expect(session.state == .locked)
        store.failWrites(with: nil)
        #expect(try await token(session) == "a2")
    }

    @Test func R16_whatTheServerGaveIsNotLostWithTheStore() async throws {
        let (time, store) = (time, store)
        let desk = TokenDesk { token in
            store.failWrites(with: .failed(reason: "the disk is full"))
            return .granted(TokenDesk.grant(Int(token.dropFirst())! + 1, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        #expect(text(of: try await session.accessToken().secret) == "a2")
        #expect(text(of: try await session.accessToken().secret) == "a2")
        #expect(desk.presented == ["r1"])
        #expect(try await store.record()?.credential?.generation == 1)
        store.failWrites(with: nil)
        #expect(text(of: try await session.accessToken().secret) == "a2")
        #expect(try await store.record()?.credential?.generation == 2)
    }

    @Test func R16_aSuccessorWithoutAnAccessTokenIsNotLostWithTheStore() async throws {
        let (time, store) = (time, store)
        let desk = TokenDesk { token in
            guard token == "r1" else { return .granted(TokenDesk.grant(3, at: time.now())) }
            store.failWrites(with: .failed(reason: "the disk is full"))
            return .incomplete(TokenSuccessor(refreshToken: Secret(utf8: "r2")))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        await #expect(throws: SessionError.unavailable(.unreadable, retryAt: time.now() + .seconds(1))) {
            try await session.accessToken()
        }
        store.failWrites(with: nil)
        time.advance(by: .seconds(1))
        #expect(text(of: try await session.accessToken().secret) == "a3")
        #expect(desk.presented == ["r1", "r2"])
    }

    @Test func R16_whatIsStoredIsNotPresentedWhileWhatCameForItIsNotStored() async throws {
        let (time, store) = (time, store)
        let desk = TokenDesk { token in
            if token == "r1" { store.failWrites(with: .failed(reason: "the disk is full")) }
            return .granted(TokenDesk.grant(Int(token.dropFirst())! + 1, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let second = try await session.accessToken()
        await #expect(throws: SessionError.store(.failed(reason: "the disk is full"))) {
            try await session.accessToken(replacing: second)
        }
        store.failWrites(with: nil)
        #expect(text(of: try await session.accessToken(replacing: second).secret) == "a3")
        #expect(desk.presented == ["r1", "r2"])
    }

    /// R16: what came goes over a mere claim, whenever the store takes it.
    @Test func whatCouldNotBeStoredGoesOverASiblingsMereClaim() async throws {
        let (time, store) = (time, store)
        let desk = TokenDesk { token in
            if token == "r1" { store.failWrites(with: .failed(reason: "the disk is full")) }
            return .granted(TokenDesk.grant(Int(token.dropFirst())! + 1, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        _ = try await session.accessToken()
        store.failWrites(with: nil)
        let entry = try #require(try await store.read())
        var record = try SessionRecord(encoded: entry.payload)
        record.rotation = Rotation(
            holder: "sibling", leaseEnds: time.now() + .seconds(30), claimed: time.now(), began: time.now(), attempts: 2
        )
        _ = try await store.write(record.encoded, over: entry.version)
        #expect(text(of: try await session.accessToken().secret) == "a2")
        #expect(try await store.record()?.credential?.generation == 2)
    }

    @Test func whatCouldNotBeStoredIsGivenBackAfterASignOut() async throws {
        let (time, store) = (time, store)
        let desk = TokenDesk { _ in
            store.failWrites(with: .failed(reason: "the disk is full"))
            return .granted(TokenDesk.grant(2, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        _ = try await session.accessToken()
        store.failWrites(with: nil)
        try await manager(TokenDesk.rotating(time)).signOut()
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(desk.revoked == ["r2"])
    }

    /// R8: a claim that cannot be written leaves a token that is good.
    @Test func aStoreThatIsFullLeavesATokenThatIsGood() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3590))
        store.failWrites(with: .failed(reason: "the disk is full"))
        #expect(text(of: try await session.accessToken().secret) == "a1")
        time.advance(by: .seconds(10))
        await #expect(throws: SessionError.store(.failed(reason: "the disk is full"))) {
            try await session.accessToken()
        }
        #expect(desk.presented.isEmpty)
    }

    @Test func whatCouldNotBeStoredDoesNotGoOverWhatASiblingHas() async throws {
        let (time, store) = (time, store)
        let desk = TokenDesk { _ in
            store.failWrites(with: .failed(reason: "the disk is full"))
            return .granted(TokenDesk.grant(2, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        _ = try await session.accessToken()
        store.failWrites(with: nil)
        try await manager(desk).signIn(TokenDesk.grant(10, at: time.now()))
        #expect(text(of: try await session.accessToken().secret) == "a10")
        #expect(try await store.record()?.credential.map { text(of: $0.accessToken) } == "a10")
        #expect(desk.revoked.isEmpty, "to some servers that would be the end of the new session too")
    }

    @Test func whatCouldNotBeStoredIsGivenBackOnceByWhoeverSignsOutHere() async throws {
        let (time, store) = (time, store)
        let desk = TokenDesk { _ in
            store.failWrites(with: .failed(reason: "the disk is full"))
            return .granted(TokenDesk.grant(2, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        _ = try await session.accessToken()
        store.failWrites(with: nil)
        try await session.signOut()
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(desk.revoked == ["r2"])
    }

    /// R8, R16: it is good, and cannot be replaced before it is stored.
    @Test func whatCouldNotBeStoredIsUsedUntilItsEnd() async throws {
        let (time, store) = (time, store)
        let full = SessionStoreError.failed(reason: "the disk is full")
        let desk = TokenDesk { token in
            store.failWrites(with: full)
            return .granted(TokenDesk.grant(Int(token.dropFirst())! + 1, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        _ = try await session.accessToken()
        time.advance(by: .seconds(3590))
        #expect(try await token(session) == "a2")
        time.advance(by: .seconds(10))
        await #expect(throws: SessionError.store(full)) { try await session.accessToken() }
        #expect(desk.presented == ["r1"])
    }

    /// The store fails once, when what came is to be saved, and then takes everything.
    @Test func R16_whatIsSpentIsNotPresentedThoughTheStoreWouldTakeAClaim() async throws {
        let (time, store) = (time, store)
        let full = SessionStoreError.failed(reason: "the disk is full")
        let desk = TokenDesk { token in
            if token == "r1" { store.failWrites(with: full) }
            return .granted(TokenDesk.grant(Int(token.dropFirst())! + 1, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let second = try await session.accessToken()
        store.failNextWrite(with: full)
        await #expect(throws: SessionError.store(full)) { try await session.accessToken(replacing: second) }
        #expect(desk.presented == ["r1"])
        #expect(text(of: try await session.accessToken(replacing: second).secret) == "a3")
        #expect(desk.presented == ["r1", "r2"])
    }

    /// M1: a refresh whose answer nobody could store, of a session that has ended here meanwhile.
    @Test(arguments: [true, false])
    func whatComesForALoginThatHasEndedIsNotKept(byNextUser: Bool) async throws {
        let (time, store, gate) = (time, store, Gate())
        let desk = TokenDesk { _ in
            await gate.pass()
            store.failWrites(with: .failed(reason: "the disk is full"))
            return .granted(TokenDesk.grant(2, at: time.now()))
        }
        let (session, refreshing) = try await refreshing(desk, at: gate)
        if byNextUser {
            try await session.signIn(TokenDesk.grant(10, at: time.now()))
        } else {
            try await session.signOut()
        }
        gate.open()
        if byNextUser {
            #expect(text(of: try await refreshing.value.secret) == "a10")
            #expect(desk.revoked.isEmpty)
        } else {
            await #expect(throws: SessionError.signedOut(SignOut(.user, at: time.now()))) { try await refreshing.value }
            while desk.revoked.count < 2 { await Task.yield() }
            #expect(desk.revoked.sorted() == ["r1", "r2"])
        }
    }

    /// R16: while one call still hears that an older answer is stored, another has got a newer one that is not.
    @Test(arguments: [true, false])
    func R16_whatIsStoredLateDoesNotForgetWhatIsNot(whileWriting: Bool) async throws {
        let (time, store, gate) = (time, store, Gate())
        let full = SessionStoreError.failed(reason: "the disk is full")
        let desk = TokenDesk { token in
            store.failWrites(with: full)
            return .granted(TokenDesk.grant(Int(token.dropFirst())! + 1, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        let second = try await session.accessToken()
        store.failWrites(with: nil)
        if !whileWriting {
            // Somebody has claimed it since: the write finds a conflict, and what is there is read.
            let entry = try #require(try await store.read())
            _ = try await store.write(entry.payload, over: entry.version)
        }
        if whileWriting { store.holdWrites(at: gate) } else { store.holdReads(at: gate) }
        let late = Task { try await session.accessToken() }
        await gate.arrival()
        store.holdWrites(at: nil)
        store.holdReads(at: nil)
        #expect(text(of: try await session.accessToken(replacing: second).secret) == "a3")
        gate.open()
        _ = try? await late.value
        store.failWrites(with: nil)
        desk.answers { token in .granted(TokenDesk.grant(Int(token.dropFirst())! + 1, at: time.now())) }
        time.advance(by: .seconds(3600))
        #expect(text(of: try await session.accessToken().secret) == "a4")
        #expect(desk.presented == ["r1", "r2", "r3"])
    }

    @Test func R13_aHolderWhoDiedLeavesWordOfWhatHeBegan() async throws {
        let time = time
        let desk = TokenDesk { token in .granted(TokenDesk.grant(Int(token.dropFirst())! + 1, at: time.now())) }
        _ = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        // The process was killed after the token was on its way.
        var record = try await store.record()!
        record.rotation = Rotation(
            holder: "dead", leaseEnds: time.now() + .seconds(30), claimed: time.now(), began: time.now(), attempts: 1)
        _ = try await store.write(record.encoded, over: 1)
        let next = Task { try await manager(desk).accessToken() }
        for _ in 0..<200 { await Task.yield() }
        #expect(desk.presented.isEmpty, "somebody may still be at it")
        #expect(text(of: try await time.pass(until: next).secret) == "a2")
        #expect(desk.presented == ["r1"])
    }

    /// A lease of a holder whose clock was far ahead does not lock everybody out for as long.
    @Test func aLeaseThatIsTooLongWasGivenByAnotherClock() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        var record = try await store.record()!
        record.rotation = Rotation(
            holder: "ahead", leaseEnds: time.now() + .seconds(86_400), claimed: time.now(), began: time.now(),
            attempts: 1)
        _ = try await store.write(record.encoded, over: 1)
        #expect(text(of: try await session.accessToken().secret) == "a2")
    }

    @Test func R15_whatReadersAreToldIsStoredAlready() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        let states = session.states
        time.advance(by: .seconds(3600))
        let store = store
        let reader = Task {
            var generations: [UInt64] = []
            for await state in states {
                guard case .active(let info) = state else { continue }
                generations.append(info.mark.generation)
                let kept = try await store.record()?.credential?.generation
                #expect(kept == info.mark.generation)
                if info.mark.generation == 2 { break }
            }
            return generations
        }
        _ = try await session.accessToken()
        #expect(try await reader.value == [1, 2])
    }

    @Test func R19_aReaderMayCallBackIntoTheSession() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        let states = session.states
        time.advance(by: .seconds(3600))
        let reader = Task {
            for await state in states {
                let token = try await session.accessToken()
                if case .active(let info) = state, info.mark.generation == 2 { return text(of: token.secret) }
            }
            return ""
        }
        _ = try await session.accessToken()
        #expect(try await reader.value == "a2")
    }

    @Test func aDamagedStoreIsNoSignOutAndMakesRoomForTheNextLogin() async throws {
        let desk = TokenDesk.rotating(time)
        let session = manager(desk)
        _ = try await store.write(Array("{".utf8), over: nil)
        await #expect(throws: SessionError.store(.corrupt(reason: "the record is not JSON"))) {
            try await session.accessToken()
        }
        #expect(session.state == .signedOut(SignOut(.unreadable)))
        let mark = try await session.signIn(TokenDesk.grant(1, at: time.now())).mark
        // Nobody knows the epoch of what is damaged.
        #expect(mark.epoch > UInt64(time.now().secondsSinceEpoch))
        #expect(text(of: try await session.accessToken().secret) == "a1")
    }
}
