import Cookies
import Primitives
import SessionClient
import TestSupport
import Testing

/// The examples of the documentation: where a session is kept.
@Suite struct StoreExamples: ExampleApp {
    let screen = ExampleScreen()
    private let clock = ManualClock(startingAt: LoginFixtures.now)
    private let payload: [UInt8] = [1, 2, 3]
    private let path: String
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        path = directory.path("store")
    }

    @Test func aStore() async throws {
        let store = MemorySessionStore()
        let entry = try await store.read()
        let outcome = try await store.write(payload, over: entry?.version)
        if case .written(let version) = outcome { print(try await store.isCurrent(version)) }
        _ = try await store.writeOverDamage(payload)  // .conflict: nothing is damaged
        #expect(try await store.read()?.payload == payload)
        let version: UInt64? = nil
        if try await store.write(payload, over: version) == .conflict { readAgain() }
        #expect(screen.shown == ["read again"])
    }

    @Test func anEntry() {
        let entry = StoredEntry(version: 1, payload: [1, 2, 3])
        print(entry)  // version 1, 3 bytes
        #expect("\(entry)" == "version 1, 3 bytes")
    }

    @Test func aStoreInMemory() async throws {
        let configuration = SessionConfiguration(issuer: "https://id.example", clientID: "native-app")
        let time = VirtualTime()
        let (transport, clock, alarm) = (ExampleServer.make(time), time, time)
        let store = MemorySessionStore()
        let app = SessionManager(
            configuration: configuration, store: store, transport: transport, clock: clock, alarm: alarm)
        let other = SessionManager(  // the same login
            configuration: configuration, store: store, transport: transport, clock: clock, alarm: alarm)
        try await app.signInWithPassword(userName: "alice", password: Secret(utf8: "alice"))
        #expect(try await app.accessToken() == other.accessToken())
    }

    @Test func whatIsWrongWithAStore() async throws {
        let store = WatchedStore()
        store.fail(with: .locked(reason: "the device was not unlocked yet"))
        do throws(SessionStoreError) {
            use(try await store.read())
        } catch {
            switch error {
            case .locked: waitForTheDevice()
            case .corrupt: showLogin()  // which writes over it
            case .failed: report("\(error)")
            }
        }
        #expect(screen.shown == ["locked"])
    }

    @Test func aDirectory() async throws {
        do {
            let store = EncryptedFileStore(directory: path, name: "work", clock: clock)
            #expect(try await store.write(payload, over: nil) == .written(1))
        }
        do {
            let key = Secret([UInt8](repeating: 7, count: 32))
            let store = EncryptedFileStore(directory: path, key: .bytes(key), clock: clock)
            #expect(try await store.read() == nil)
        }
    }

    @Test func aGroup() throws {
        // Made when something is written, and nothing is.
        let store = try EncryptedFileStore(group: "team.example.app", clock: clock)
        use(store)
    }

    @Test func aJar() throws {
        let file = CookieJarFile(directory: path, clock: clock)
        let restoration = try file.restore()
        let jar = restoration.jar()
        try file.save(jar, epoch: restoration.epoch)  // in the background: whole, or as if nothing had happened
        let epoch = try file.forget()  // signed out: nothing that was saved before comes back
        #expect(try file.save(jar, epoch: restoration.epoch) == .forgotten)
        #expect(try file.restore().epoch == epoch)
    }
}
