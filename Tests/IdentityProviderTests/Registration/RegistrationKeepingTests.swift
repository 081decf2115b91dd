import HTTPMessages
import IdentityProvider
import OAuth
import Primitives
import TestSupport
import Testing

/// What a client is told of its registration is kept before it is told.
@Suite struct RegistrationKeepingTests {
    private static func provider(_ store: any ProviderStore) async throws -> ProviderUnderTest {
        try await ProviderUnderTest(store: store) { $0.registration = .open }
    }

    private static func failingStore() -> GatedStore {
        var store = GatedStore()
        store.beforeKeepingRegistration = { () throws(StoreError) in throw .unavailable(reason: "the disk is full") }
        return store
    }

    @Test func aClientThatCannotBeKeptWasNeverThere() async throws {
        let idp = try await Self.provider(Self.failingStore())
        let before = idp.context.clients.clients.count
        let answer = await idp.register()
        #expect(answer.status == 503)
        #expect(answer.json?["error"] == "temporarily_unavailable")
        #expect(idp.context.clients.clients.count == before)
    }

    /// In every engine: what the provider that comes after knows is what was registered last.
    @Test func theNextProviderKnowsWhatWasRegisteredLast() async throws {
        let test = try StoreUnderTest(.sqlite)
        defer { test.end() }
        let first = try await Self.provider(test.store)
        let client = try RegisteredClient(await first.register(also: ["client_name": "One"]))
        let other = try RegisteredClient(await first.register())
        var change = ProviderUnderTest.minimalRegistration
        change["client_id"] = .string(client.id)
        change["client_name"] = "Two"
        #expect(await first.send(.put, client.path, change, bearer: client.token).status == 200)
        #expect(await first.send(.delete, other.path, nil, bearer: other.token).status == 204)
        let before = try #require(first.context.clients[client.id])

        let second = try await Self.provider(test.store)
        let found = await second.send(.get, client.path, nil, bearer: client.token)
        #expect(found.status == 200)
        #expect(found.json?["client_name"] == "Two")
        let after = try #require(second.context.clients[client.id])
        #expect(after.stay == before.stay)
        #expect(after.revision == 1)
        #expect(after.origin == before.origin)
        #expect(second.context.clients[other.id] == nil)
        // What comes now is of a stay that nobody was in before.
        let third = try Client(id: "third", secret: nil, metadata: ClientMetadata())
        #expect(try second.context.clients.add(third).stay > after.stay)
    }

    /// One that a client gave up, perhaps because others knew it, does not come back, not even by a restart.
    @Test func theNextProviderKnowsTheSecretThatWasToldLast() async throws {
        let test = try StoreUnderTest(.sqlite)
        defer { test.end() }
        let secret = Secret([UInt8](repeating: 3, count: 32))
        let first = try await ProviderUnderTest(store: test.store, secret: secret) { $0.registration = .open }
        let client = try RegisteredClient(await first.register())
        var change = ProviderUnderTest.minimalRegistration
        change["client_id"] = .string(client.id)
        var told = [client.secret]
        for _ in 0..<2 {
            change["token_endpoint_auth_method"] = "none"
            #expect(await first.send(.put, client.path, change, bearer: client.token).status == 200)
            change["token_endpoint_auth_method"] = nil
            told.append(try RegisteredClient(await first.send(.put, client.path, change, bearer: client.token)).secret)
        }
        #expect(Set(told).count == 3)
        let second = try await ProviderUnderTest(store: test.store, secret: secret) { $0.registration = .open }
        let found = try RegisteredClient(await second.send(.get, client.path, nil, bearer: client.token))
        #expect(found.secret == told.last)
    }

    /// One that cannot be read any more is left out, and the provider begins all the same.
    @Test func aRegistrationThatCannotBeTakenUpHoldsUpNobody() async throws {
        let test = try StoreUnderTest(.sqlite)
        defer { test.end() }
        try await test.store.keep(
            Registration(
                clientID: "broken", stay: 1, revision: 0, secretNumber: 0, accessTokenDigest: TokenDigest(of: "token"),
                registered: Timestamp(secondsSinceEpoch: 1), metadata: ["redirect_uris": "no list"]))
        let idp = try await Self.provider(test.store)
        #expect(idp.context.clients["broken"] == nil)
        #expect(idp.log.lines.contains { $0.contains("client.not_restored") })
        #expect(await idp.register().status == 201)
    }

    /// A secret follows from the name of its client and from what only this provider knows.
    @Test func eachClientHasItsOwnSecret() async throws {
        let idp = try await Self.provider(MemoryStore())
        let confidential: JSONObject = ["token_endpoint_auth_method": "client_secret_basic"]
        let one = try RegisteredClient(await idp.register(also: confidential))
        let two = try RegisteredClient(await idp.register(also: confidential))
        #expect(one.secret != two.secret)
        #expect(one.secret?.utf8.count == 64)
        let elsewhere = try await Self.provider(MemoryStore())
        #expect(await elsewhere.register(also: confidential).json?["client_secret"]?.string != one.secret)
    }
}
