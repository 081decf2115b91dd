import HTTPMessages
import Primitives
import SessionClient
import Testing

/// What ends a session, and what does not bring it back.
@Suite struct SignOutTests: SessionTests {
    let time = VirtualTime()
    let store = WatchedStore()

    @Test func nobodyIsSignedInAtFirst() async throws {
        let session = manager(.rotating(time))
        #expect(session.state == .restoring)
        await #expect(throws: SessionError.signedOut(SignOut(.never))) { try await session.accessToken() }
        #expect(session.state == .signedOut(SignOut(.never)))
    }

    @Test func whoSignsOutIsSignedOutEverywhereAndTheServerIsTold() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        let sibling = manager(desk)
        _ = try await sibling.accessToken()
        try await session.signOut()
        let signOut = SignOut(.user, at: time.now())
        for one in [session, sibling] {
            await #expect(throws: SessionError.signedOut(signOut)) { try await one.accessToken() }
        }
        #expect(desk.revoked == ["r1"])
        #expect(try await store.record()?.signOut == signOut)
    }

    @Test(arguments: [true, false])
    func R6_aRefreshDoesNotOutliveASignOut(bySibling: Bool) async throws {
        let (gate, time) = (Gate(), time)
        let desk = TokenDesk { _ in
            await gate.pass()
            return .granted(TokenDesk.grant(2, at: time.now()))
        }
        let (session, refreshing) = try await refreshing(desk, at: gate)
        try await (bySibling ? manager(desk) : session).signOut()
        gate.open()
        let signOut = SignOut(.user, at: time.now())
        await #expect(throws: SessionError.signedOut(signOut)) { try await refreshing.value }
        #expect(try await store.record()?.signOut == signOut)
        // M1: the token that came too late belongs to nobody, and is good for nobody.
        while desk.revoked.count < 2 { await Task.yield() }
        #expect(desk.revoked.sorted() == ["r1", "r2"])
    }

    @Test func R6_aRefreshOfTheUserBeforeDoesNotTouchTheNextOne() async throws {
        let (gate, time) = (Gate(), time)
        let desk = TokenDesk { token in
            await gate.pass()
            return token == "r1" ? .granted(TokenDesk.grant(2, at: time.now())) : ModelServer.refusal
        }
        let (session, refreshing) = try await refreshing(desk, at: gate)
        try await manager(desk).signIn(TokenDesk.grant(10, at: time.now()))
        gate.open()
        #expect(text(of: try await refreshing.value.secret) == "a10")
        #expect(text(of: try await session.accessToken().secret) == "a10")
        #expect(desk.revoked.isEmpty, "to some servers that would be the end of the new session too")
    }

    @Test func R6_aRefusalOfTheUserBeforeDoesNotSignTheNextOneOut() async throws {
        let (gate, time) = (Gate(), time)
        let desk = TokenDesk { _ in
            await gate.pass()
            return ModelServer.refusal
        }
        let (_, refreshing) = try await refreshing(desk, at: gate)
        try await manager(desk).signIn(TokenDesk.grant(10, at: time.now()))
        gate.open()
        #expect(text(of: try await refreshing.value.secret) == "a10")
        #expect(try await store.record()?.credential != nil)
    }

    @Test func R23_aNewLoginOfAnotherManagerIsUsedAtOnce() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        _ = try await session.accessToken()
        try await manager(desk).signIn(TokenDesk.grant(10, at: time.now()))
        #expect(text(of: try await session.accessToken().secret) == "a10")
    }

    @Test func R14_aLateAnswerGoesOverNothingNewer() async throws {
        let (gate, time) = (Gate(), time)
        let slow = TokenDesk { _ in
            await gate.pass()
            return .granted(TokenDesk.grant(2, at: time.now()))
        }
        let session = try await signedIn(slow)
        time.advance(by: .seconds(3600))
        let late = Task { try await session.accessToken() }
        await gate.arrival()
        // The app is stopped here. Its lease passes, and its sibling refreshes.
        time.advance(by: .seconds(5))
        let quick = TokenDesk { token in .granted(TokenDesk.grant(3, at: time.now())) }
        let sibling = Task { try await manager(quick).accessToken() }
        for _ in 0..<200 { await Task.yield() }
        #expect(quick.presented.isEmpty, "the lease holds")
        #expect(text(of: try await time.pass(until: sibling).secret) == "a3")
        gate.open()
        #expect(text(of: (try? await late.value.secret) ?? Secret(utf8: "a3")) == "a3")
        #expect(try await store.record()?.credential.map { text(of: $0.accessToken) } == "a3")
    }

    /// An app that was stopped after its claim does not present a token that somebody else may have presented by now: it begins
    /// anew where the answer could not come within the lease.
    @Test(arguments: [1, 3, 9])
    func R14_whoWasStoppedAfterHisClaimClaimsItAnew(seconds: Int) async throws {
        let (gate, time, store) = (Gate(), time, store)
        let desk = TokenDesk { _ in
            let rotation = try? await store.record()?.rotation
            #expect(rotation?.attempts == (seconds < 2 ? 1 : 2))
            #expect(rotation?.leaseEnds.map { time.now() + .seconds(6) < $0 } == true)
            return .granted(TokenDesk.grant(2, at: time.now()))
        }
        let session = try await signedIn(desk)
        time.advance(by: .seconds(3600))
        store.holdWrites(at: gate)
        let refreshing = Task { try await session.accessToken() }
        await gate.arrival()
        time.advance(by: .seconds(seconds))
        store.holdWrites(at: nil)
        gate.open()
        #expect(text(of: try await refreshing.value.secret) == "a2")
        #expect(desk.presented == ["r1"])
    }

    /// M1: what is given back is what was stored when the session ended, and not what was stored a moment before.
    @Test func theTokenThatIsStoredIsTheOneThatIsGivenBack() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        let old = try await session.accessToken()
        _ = try await manager(desk).accessToken(replacing: old)
        try await session.signOut()
        #expect(desk.revoked == ["r2"])
    }

    /// A directory keeps the version before the last one, too.
    @Test func noFileHoldsTokensAfterASignOut() async throws {
        let (desk, directory) = (TokenDesk.rotating(time), try StoreDirectory())
        let session = SessionManager(server: desk, store: directory.store(), clock: time, alarm: time)
        let first = try await session.signIn(TokenDesk.grant(1, at: time.now()))
        _ = try await session.accessToken(replacing: first)
        try await session.signOut()
        let versions = directory.versions.compactMap { Int($0.suffix(20)) }
        #expect(versions.count == 2)
        for version in versions {
            let bytes = try #require(directory.bytes(StoreDirectory.file(version)))
            let place = SealedFile.Place(purpose: "pawl-session", name: "session", version: UInt64(version))
            let payload = try SealedFile(parsing: bytes).open(with: StoreDirectory.key, at: place)
            #expect(try SessionRecord(encoded: payload).credential == nil)
        }
    }

    /// A server that never answers keeps nobody from signing out.
    @Test func aRevocationThatNeverEndsIsNotWaitedFor() async throws {
        let (gate, time) = (Gate(), time)
        let desk = TokenDesk.rotating(time)
        desk.holdsRevocations(at: gate)
        let session = try await signedIn(desk)
        let leaving = Task { try await session.signOut() }
        await gate.arrival()
        try await time.pass(until: leaving)
        gate.open()
    }

    /// Somebody has emptied the store, and the next user signs in while a refresh of the one before is on its way.
    @Test func anEmptiedStoreDoesNotMakeTwoLoginsOne() async throws {
        let (gate, time) = (Gate(), time)
        let desk = TokenDesk { _ in
            await gate.pass()
            return .granted(TokenDesk.grant(2, at: time.now()))
        }
        let (_, refreshing) = try await refreshing(desk, at: gate)
        store.empty()
        try await manager(desk).signIn(TokenDesk.grant(10, at: time.now()))
        gate.open()
        #expect(text(of: try await refreshing.value.secret) == "a10")
        #expect(try await store.record()?.credential.map { text(of: $0.accessToken) } == "a10")
    }

    @Test func aSessionMayBeginAgainAfterItsEnd() async throws {
        let desk = TokenDesk.rotating(time)
        let session = try await signedIn(desk)
        let first = try #require(try await store.record()?.epoch)
        try await session.signOut()
        try await session.signIn(TokenDesk.grant(5, at: time.now()))
        #expect(text(of: try await session.accessToken().secret) == "a5")
        #expect(try await store.record()?.epoch == first + 2)
    }
}
