import Primitives
import SessionClient
import Testing

/// What whoever only watches is told (S23): at the start of an app that decides between its first page and the login.
@Suite struct StatesTests {
    private let time = VirtualTime()
    private let store = WatchedStore()
    private let desk: TokenDesk

    init() { desk = TokenDesk.rotating(time) }

    private func manager() -> SessionManager { SessionManager(server: desk, store: store, clock: time, alarm: time) }

    private func firstAnswer(of session: SessionManager) async -> SessionState? {
        await session.states.first { $0 != .restoring }
    }

    @Test func beginsWithWhatIsNotKnown() { #expect(manager().state == .restoring) }

    @Test func nobodyHasSignedIn() async { #expect(await firstAnswer(of: manager()) == .signedOut(SignOut(.never))) }

    @Test func whoIsSignedInIsShownWithoutAnyRequest() async throws {
        try await manager().signIn(TokenDesk.grant(1, at: time.now()))
        guard case .active(let info)? = await firstAnswer(of: manager()) else {
            Issue.record("somebody is signed in")
            return
        }
        #expect(info.canRefresh)
        #expect(desk.presented == [])
    }

    /// No start waits for a server that may not answer.
    @Test func whoseTokenIsOverIsShownAtOnce() async throws {
        try await manager().signIn(TokenDesk.grant(1, at: time.now()))
        time.advance(by: .seconds(3600))
        guard case .active? = await firstAnswer(of: manager()) else {
            Issue.record("somebody is signed in")
            return
        }
        #expect(desk.presented == [])
    }

    @Test func whoCouldNotGetATokenIsOffline() async throws {
        try await manager().signIn(TokenDesk.grant(1, at: time.now()))
        time.advance(by: .seconds(3600))
        desk.answers { _ in .unavailable(Unavailability(.offline)) }
        await #expect(throws: SessionError.self) { try await manager().accessToken() }
        // Another process, which has tried nothing itself.
        guard case .offline? = await firstAnswer(of: manager()) else {
            Issue.record("there is no good token, and somebody is signed in")
            return
        }
        #expect(desk.presented.count == 1)
    }

    @Test func whoHasSignedOutIsSoInEveryProcess() async throws {
        let session = manager()
        try await session.signIn(TokenDesk.grant(1, at: time.now()))
        try await session.signOut()
        #expect(await firstAnswer(of: manager()) == .signedOut(SignOut(.user, at: time.now())))
    }

    @Test(arguments: [SessionStoreError.locked(reason: "not unlocked"), .failed(reason: "no permission")])
    func R17_aStoreThatCannotBeOpenedIsNotSignedOut(_ error: SessionStoreError) async throws {
        try await manager().signIn(TokenDesk.grant(1, at: time.now()))
        store.fail(with: error)
        let session = manager()
        #expect(await firstAnswer(of: session) == .locked)
        store.fail(with: nil)
        _ = try await session.accessToken()
        guard case .active = session.state else {
            Issue.record("it is open by now")
            return
        }
    }

    /// A login is all that is left, and nothing is written before that.
    @Test func whatCannotBeReadIsOfferedALogin() async throws {
        try await manager().signIn(TokenDesk.grant(1, at: time.now()))
        store.fail(with: .corrupt(reason: "cut off"))
        let session = manager()
        #expect(await firstAnswer(of: session) == .signedOut(SignOut(.unreadable)))
        store.fail(with: nil)
        #expect(try await store.record()?.credential != nil)
        _ = try await session.accessToken()
        guard case .active = session.state else {
            Issue.record("it can be read by now")
            return
        }
    }
}
