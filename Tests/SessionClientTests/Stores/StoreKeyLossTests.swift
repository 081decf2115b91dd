import Cookies
import Foundation
import Primitives
import SessionClient
import Synchronization
import Testing

/// A key that is gone: what it has sealed is lost, and a new sign-in is all that is left. A key that cannot be had now is not gone.
@Suite struct StoreKeyLossTests {
    private let directory: StoreDirectory
    private let latest: [UInt8]
    private let secret: [UInt8]
    private static let name = StoreDirectory.file(3)
    private static let keyName = "session.key"

    init() throws {
        directory = try StoreDirectory()
        for _ in 0..<3 { directory.files(key: .file).append("o") }
        latest = try #require(directory.bytes(Self.name))
        secret = try #require(directory.bytes(Self.keyName))
    }

    private var keyless: SessionStoreError { .corrupt(reason: "the key \(directory.path)/session.key is gone") }

    @Test func aNewSignInGoesOverWhatAKeyHasSealedThatIsGone() async throws {
        let store = directory.store(key: .file)
        try directory.remove(Self.keyName)
        await #expect(throws: keyless) { try await store.read() }
        // Whoever writes over a version knows what is in it, or does not write.
        await #expect(throws: keyless) { try await store.write([8], over: 3) }
        #expect(directory.bytes(Self.keyName) == nil)
        #expect(try await store.writeOverDamage([9]) == .written(4))
        #expect(try await store.read() == StoredEntry(version: 4, payload: [9]))
        #expect(try await store.writeOverDamage([8]) == .conflict)
        #expect(try await directory.store(key: .file).write([7], over: 4) == .written(5))
        #expect(directory.bytes(Self.keyName) != secret)
        #expect(try directory.permissions(Self.keyName) == 0o600)
    }

    @Test(arguments: [EACCES, EPERM, EIO])
    func aKeyThatCannotBeReadNowIsNotGone(code: Int32) async throws {
        let calls = WatchedCalls { call, name in
            call == .open && name == Self.keyName ? .fails(code) : .happens
        }
        let store = directory.store(key: .file, calls: calls)
        await #expect(throws: SessionStoreError.self) { try await store.writeOverDamage([9]) }
        #expect(directory.bytes(Self.name) == latest && directory.bytes(Self.keyName) == secret)
        #expect(directory.files(key: .file).text == "ooo")
    }

    @Test func aKeyThatIsHandedInIsNeverMade() async throws {
        try directory.remove(Self.keyName)
        let store = directory.store(key: .bytes(StoreDirectory.key))
        #expect(try await store.writeOverDamage([9]) == .written(4))
        #expect(directory.bytes(Self.keyName) == nil)
    }

    @Test func whereNothingWasEverWrittenNoKeyIsMade() async throws {
        let empty = try StoreDirectory()
        try FileManager.default.createDirectory(
            atPath: empty.path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #expect(try await empty.store(key: .file).writeOverDamage([9]) == .conflict)
        #expect(empty.names == [])
    }

    /// Two that find the key gone, one of them stopped at each of its calls while the other does all of it.
    @Test func ofTwoNewKeysOneIsUsedByBoth() async throws {
        for call in 0..<200 {
            let directory = try StoreDirectory()
            for _ in 0..<3 { directory.files(key: .file).append("o") }
            try directory.remove(Self.keyName)
            let others = Mutex<[StoreOutcome?]>([])
            let calls = WatchedCalls(before: call) {
                let written = try? directory.files(key: .file).overDamage([2])
                others.withLock { $0.append(written.map { .written($0) } ?? .conflict) }
            }
            let ours = try directory.files(calls, key: .file).overDamage([1])
            let kept = try #require(try directory.files(key: .file).read()?.entry)
            guard let other = others.withLock({ $0.first }) else {
                #expect(call > 20 && kept.payload == [1])
                return
            }
            // One of them has written, and what he has written is there.
            let winner: [UInt8] = ours == nil ? [2] : [1]
            #expect((ours == nil) != (other == .conflict), "call \(call)")
            #expect(kept.payload == winner, "call \(call)")
        }
    }

    /// The process is killed between the new key and the new version: the next sign-in finds damage.
    @Test func whoIsKilledWithANewKeyLeavesRoomForTheNext() async throws {
        try directory.remove(Self.keyName)
        let calls = WatchedCalls { call, name in call == .link && name == StoreDirectory.file(4) ? .kills : .happens }
        #expect(throws: SessionStoreError.self) { try directory.files(calls, key: .file).overDamage([1]) }
        #expect(throws: SessionStoreError.self) { try directory.files(key: .file).read() }
        #expect(try await directory.store(key: .file).writeOverDamage([9]) == .written(4))
    }

    // MARK: Whoever uses a store

    @Test(arguments: [true, false])
    func aSessionBeginsAndEndsWhereTheKeyIsGone(signsIn: Bool) async throws {
        let (time, directory) = (VirtualTime(), try StoreDirectory())
        func manager() -> SessionManager {
            SessionManager(
                server: TokenDesk.rotating(time), store: directory.store(key: .file), clock: time, alarm: time)
        }
        try await manager().signIn(TokenDesk.grant(1, at: time.now()))
        try directory.remove(Self.keyName)
        let session = manager()
        await #expect(throws: SessionError.store(.corrupt(reason: "the key \(directory.path)/session.key is gone"))) {
            try await session.accessToken()
        }
        #expect(session.state == .signedOut(SignOut(.unreadable)))
        if signsIn {
            try await session.signIn(TokenDesk.grant(5, at: time.now()))
            #expect(text(of: try await manager().accessToken().secret) == "a5")
        } else {
            try await session.signOut()
            #expect(session.state == .signedOut(SignOut(.user, at: time.now())))
        }
    }

    /// What was read before is no way to go on either.
    @Test func aSessionThatRunsIsOfferedALoginWhereTheKeyIsGone() async throws {
        let (time, directory) = (VirtualTime(), try StoreDirectory())
        let session = SessionManager(
            server: TokenDesk.rotating(time), store: directory.store(key: .file), clock: time, alarm: time)
        try await session.signIn(TokenDesk.grant(1, at: time.now()))
        _ = try await session.accessToken()
        try directory.remove(Self.keyName)
        time.advance(by: .seconds(3600))
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        #expect(session.state == .signedOut(SignOut(.unreadable)))
        try await session.signIn(TokenDesk.grant(5, at: time.now()))
        #expect(text(of: try await session.accessToken().secret) == "a5")
    }

    @Test func aSessionBeginsOverAFileThatIsDamaged() async throws {
        let time = VirtualTime()
        try directory.put([1, 2, 3], Self.name)
        let session = SessionManager(
            server: TokenDesk.rotating(time), store: directory.store(key: .file), clock: time, alarm: time)
        await #expect(throws: SessionError.self) { try await session.accessToken() }
        try await session.signIn(TokenDesk.grant(5, at: time.now()))
        #expect(text(of: try await session.accessToken().secret) == "a5")
    }

    @Test func aSessionDoesNotBeginWhereTheKeyIsLocked() async throws {
        let (time, store) = (VirtualTime(), WatchedStore())
        let session = SessionManager(server: TokenDesk.rotating(time), store: store, clock: time, alarm: time)
        try await session.signIn(TokenDesk.grant(1, at: time.now()))
        store.fail(with: .locked(reason: "not unlocked yet"))
        await #expect(throws: SessionError.store(.locked(reason: "not unlocked yet"))) {
            try await session.signIn(TokenDesk.grant(5, at: time.now()))
        }
        #expect(session.state == .locked)
        store.fail(with: nil)
        #expect(text(of: try await session.accessToken().secret) == "a1")
    }

    /// A store that calls itself locked, and has nothing to write over: nobody asks it for ever.
    @Test func aStoreThatContradictsItselfIsAskedOnce() async throws {
        struct Contradiction: SessionStore {
            static let lock = SessionStoreError.locked(reason: "locked")
            func read() async throws(SessionStoreError) -> StoredEntry? { throw Self.lock }
            func write(_ payload: [UInt8], over version: UInt64?) async throws(SessionStoreError) -> StoreOutcome {
                .conflict
            }
            func writeOverDamage(_ payload: [UInt8]) async throws(SessionStoreError) -> StoreOutcome { .conflict }
            func isCurrent(_ version: UInt64) async throws(SessionStoreError) -> Bool { throw Self.lock }
        }
        let time = VirtualTime()
        let session = SessionManager(server: TokenDesk.rotating(time), store: Contradiction(), clock: time, alarm: time)
        await #expect(throws: SessionError.store(Contradiction.lock)) {
            try await session.signIn(TokenDesk.grant(1, at: time.now()))
        }
    }

    @Test func aJarForgetsWhereTheKeyIsGone() async throws {
        let file = CookieJarFile(directory: directory.path, clock: StoreDirectory.clock, calls: QuickCalls())
        var jar = CookieJar()
        try jar.apply(
            .set(Cookie(name: "a", value: "1", domain: "app.example", at: StoreDirectory.clock.now())),
            at: StoreDirectory.clock.now())
        try file.save(jar, sessionCookies: .given(.seconds(600)), epoch: 0)
        try directory.remove("cookies.key")
        #expect(throws: SessionStoreError.self) { try file.restore() }
        let epoch = try file.forget()
        guard case .forgotten(epoch) = try file.restore() else { return #expect(Bool(false), "it is forgotten") }
    }
}

extension VersionedFiles {
    /// - Returns: the version that was written.
    fileprivate func overDamage(_ payload: [UInt8]) throws(SessionStoreError) -> UInt64? {
        try writeOverDamage(payload)?.version
    }
}
