import HTTPMessages
import IdentityProvider
import JOSE
import OAuth
import Primitives
import Synchronization
import TestSupport
import Testing

/// Who is there in one run of a provider and in the next, and what of the one is good in the other.
@Suite struct StayKeepingTests {
    private let test: StoreUnderTest
    private let secret = Secret([UInt8](repeating: 3, count: 32))
    private let key: SigningKey

    init() throws {
        test = try StoreUnderTest(.sqlite)
        key = try .generate(.es256)
    }

    /// A provider on the same store, as after a restart.
    private func run(
        users: [User]? = nil, clients: [Client]? = nil, allowances: Allowances = []
    ) async throws -> ProviderUnderTest {
        try await ProviderUnderTest(
            clients: try clients ?? StandardClients.all(), users: try users ?? StandardUsers.all(), key: key,
            store: test.store, secret: secret
        ) {
            $0.control = .loopback
            $0.allowances = allowances.union(.automaticLogin)
        }
    }

    private func signIn(_ idp: ProviderUnderTest, as user: String = "alice") async throws -> String {
        let query = ["scope": "openid offline_access", "login_hint": user]
        let code = try #require(try await Browser(idp).authorize(query).parameters["code"])
        return try await idp.redeem(code).text("refresh_token")
    }

    /// The token that follows, or none.
    private func refreshed(_ idp: ProviderUnderTest, _ token: String) async -> String? {
        await idp.refresh(token).json?["refresh_token"]?.string
    }

    private func control(
        _ idp: ProviderUnderTest, _ method: HTTPRequest.Method, _ path: String, _ body: String = ""
    ) async -> Int {
        let fields: HTTPFields = body.isEmpty ? [:] : [.contentType: "application/json"]
        return await idp.respond(method, "/_pawl" + path, fields, body: Array(body.utf8)).status
    }

    private func carol() throws -> User { try User(username: "carol", password: Secret(utf8: "carol")) }

    @Test func whoIsThereAsBeforeIsInTheSameStay() async throws {
        defer { test.end() }
        let token = try await signIn(try await run())
        let next = try #require(await refreshed(try await run(), token))
        #expect(await refreshed(try await run(), next) != nil)
    }

    /// In whatever way somebody came back, what he was given since is good in the next run, and what before is not.
    @Test func whoWasRemovedAndCameBackIsInHisNewStay() async throws {
        defer { test.end() }
        let idp = try await run()
        let former = try await signIn(idp)
        let alice = try #require(idp.context.users[username: "alice"])
        #expect(await control(idp, .delete, "/users/alice") == 204)
        #expect(await control(idp, .put, "/users/alice", #"{"id":"\#(alice.id)"}"#) == 201)
        let present = try await signIn(idp)
        let next = try await run()
        #expect(await refreshed(next, present) != nil)
        #expect(await refreshed(next, former) == nil)
    }

    /// A file that was read again, and is the same at the next start.
    @Test func whoCameWithAnotherConfigurationIsThereAtTheNextStart() async throws {
        defer { test.end() }
        let idp = try await run()
        var configuration = idp.context.configuration
        configuration.users.append(try carol())
        try await idp.context.reconfigure(to: configuration)
        let token = try await signIn(idp, as: "carol")
        let users = configuration.users
        let next = try #require(await refreshed(try await run(users: users), token))
        #expect(await refreshed(try await run(users: users), next) != nil)
    }

    /// Out of the configuration at one start and back at the next: as when he is removed while the server runs.
    @Test func whoWasGoneForARunHasLostWhatWasHis() async throws {
        defer { test.end() }
        let token = try await signIn(try await run())
        let others = try StandardUsers.all().filter { $0.username != "alice" }
        #expect(await refreshed(try await run(users: others), token) == nil)
        #expect(await refreshed(try await run(), token) == nil)
    }

    @Test func aClientThatWasGoneForARunHasLostWhatWasIts() async throws {
        defer { test.end() }
        let token = try await signIn(try await run())
        let others = try StandardClients.all().filter { $0.id != "web" }
        _ = try await run(clients: others)
        #expect(await refreshed(try await run(), token) == nil)
    }

    /// Those that the control API makes end with the process. Whoever has the name afterwards is somebody else.
    @Test func anotherOfTheSameNameInTheNextRunIsSomebodyElse() async throws {
        defer { test.end() }
        let idp = try await run()
        #expect(await control(idp, .put, "/users/zed", #"{"password":"one"}"#) == 201)
        let token = try await signIn(idp, as: "zed")
        for _ in 0..<2 {
            let next = try await run()
            #expect(await refreshed(next, token) == nil)
            #expect(await control(next, .put, "/users/zed", #"{"password":"two"}"#) == 201)
            #expect(await refreshed(next, token) == nil)
        }
    }

    @Test func whoIsTakenAsHeComesIsTakenSoAgain() async throws {
        defer { test.end() }
        let token = try await signIn(try await run(allowances: .anyUser), as: "dora")
        let next = try #require(await refreshed(try await run(allowances: .anyUser), token))
        #expect(await refreshed(try await run(), next) == nil, "nobody is taken as he comes now")
        let last = try await run(allowances: .anyUser)
        #expect(await refreshed(last, next) != nil)
    }

    /// Who was removed is not taken for the same by coming again.
    @Test func whoWasTakenAsHeCameAndRemovedIsNotBackByHisToken() async throws {
        defer { test.end() }
        let idp = try await run(allowances: .anyUser)
        let token = try await signIn(idp, as: "dora")
        #expect(await control(idp, .delete, "/users/dora") == 204)
        #expect(await refreshed(idp, token) == nil)
        _ = try await signIn(idp, as: "dora")
        #expect(await refreshed(idp, token) == nil)
        #expect(await refreshed(try await run(allowances: .anyUser), token) == nil)
    }

    @Test func aResetBeginsAnewInTheNextRunToo() async throws {
        defer { test.end() }
        let idp = try await run()
        let former = try await signIn(idp)
        #expect(await control(idp, .post, "/reset") == 204)
        let present = try await signIn(idp)
        let next = try await run()
        #expect(await refreshed(next, former) == nil)
        #expect(await refreshed(next, present) != nil)
    }

    /// What could not be kept is kept the next time.
    @Test func aStoreThatFailedOnceHearsOfItLater() async throws {
        let kept = Mutex<[StayRecord]>([])
        let isBroken = Mutex(false)
        var store = GatedStore()
        store.keepingStays = { (records) throws(StoreError) in
            if isBroken.withLock({ $0 }) { throw .unavailable(reason: "the disk is full") }
            kept.withLock { $0 += records }
        }
        let idp = try await ProviderUnderTest.signIn(store: store) { $0.control = .loopback }
        isBroken.withLock { $0 = true }
        #expect(await control(idp, .put, "/users/carol", #"{"password":"carol"}"#) == 503)
        #expect(!kept.withLock { $0 }.contains { $0.id == "carol" })
        isBroken.withLock { $0 = false }
        #expect(await control(idp, .put, "/users/carol", #"{"password":"carol"}"#) == 200)
        #expect(kept.withLock { $0 }.contains { $0.id == "carol" })
    }
}
