import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite struct ClientRegistryTests {
    private static func client(_ id: String, name: String? = nil) throws -> Client {
        var metadata = ClientMetadata()
        metadata.name = name
        return try Client(id: id, secret: nil, metadata: metadata)
    }

    private static func count(
        of number: Int = 32, _ body: @escaping @Sendable (Int) async throws -> Bool
    ) async throws -> Int {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<number { group.addTask { try await body(index) } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test func findsByTheExactName() throws {
        let registry = try ClientRegistry([Self.client("app")])
        #expect(registry["app"] != nil)
        for name in ["App", "app ", "", "ap"] { #expect(registry[name] == nil) }
    }

    @Test func refusesTwoOfOneName() throws {
        #expect(throws: ProviderConfigurationError.clientGivenTwice("app")) {
            try ClientRegistry([Self.client("app"), Self.client("app")])
        }
        let registry = try ClientRegistry([Self.client("app")])
        #expect(throws: ProviderConfigurationError.clientGivenTwice("app")) { try registry.add(Self.client("app")) }
    }

    /// Registrations come from outside, and memory does not. Those that are there may be changed all the same.
    @Test func thereIsAnEndToClients() throws {
        let registry = try ClientRegistry((0..<ClientRegistry.maximumCount - 1).map { try Self.client("\($0)") })
        try registry.add(Self.client("last"))
        #expect(throws: ProviderConfigurationError.tooManyClients) { try registry.add(Self.client("more")) }
        #expect(throws: ProviderConfigurationError.tooManyClients) { try registry.put(Self.client("more")) }
        #expect(try registry.put(Self.client("last", name: "changed")) == false)
        #expect(registry["last"]?.metadata.name == "changed")
        #expect(registry["more"] == nil)
    }

    @Test(arguments: 1...5)
    func ofManyWhoAddOneNameOneDoes(round: Int) async throws {
        let registry = try ClientRegistry([])
        let added = try await Self.count { _ in
            do { try registry.add(try Self.client("app")) } catch { return false }
            return true
        }
        #expect(added == 1)
        #expect(registry.clients.count == 1)
    }

    @Test(arguments: 1...5)
    func ofManyWhoPutOneNameOneIsTheFirst(round: Int) async throws {
        let registry = try ClientRegistry([])
        #expect(try await Self.count { _ in try registry.put(try Self.client("app")) } == 1)
        #expect(registry.clients.count == 1)
    }

    /// RFC 7592: two who change one registration do not overwrite each other unseen.
    @Test(arguments: 1...5)
    func ofManyWhoReplaceOneDoes(round: Int) async throws {
        let former = try Self.client("app")
        let registry = try ClientRegistry([former])
        let replaced = try await Self.count { index in
            registry.replace(former, by: try Self.client("app", name: "\(index)")) != nil
        }
        #expect(replaced == 1)
        #expect(registry.clients.count == 1)
        #expect(registry.clients.first === registry["app"])
    }

    @Test func whatWasRemovedIsNotReplaced() throws {
        let former = try Self.client("app")
        let registry = try ClientRegistry([former])
        #expect(registry.remove("app") === former)
        #expect(registry.remove("app") == nil)
        #expect(try registry.replace(former, by: Self.client("app")) == nil)
        #expect(registry["app"] == nil)
        #expect(registry.clients.isEmpty)
    }

    @Test(arguments: 1...5)
    func theListAndTheNamesAgreeWhateverHappens(round: Int) async throws {
        let registry = try ClientRegistry([])
        _ = try await Self.count(of: 200) { index in
            let id = "c\(index % 7)"
            switch index % 3 {
            case 0: _ = try? registry.add(Self.client(id))
            case 1: try registry.put(Self.client(id))
            default: registry.remove(id)
            }
            return true
        }
        let clients = registry.clients
        #expect(Set(clients.map(\.id)).count == clients.count)
        #expect(clients.allSatisfy { registry[$0.id] === $0 })
        #expect(
            (0..<7).allSatisfy { index in (registry["c\(index)"] != nil) == clients.contains { $0.id == "c\(index)" } })
    }

    /// Where any client is taken as it comes, two requests that come first at once get the same.
    @Test(arguments: 1...5)
    func ofManyFirstRequestsOneMakesTheClient(round: Int) async throws {
        let idp = try await ProviderUnderTest { $0.allowances = [.anyClient] }
        let context = idp.context
        let clients = await withTaskGroup(of: Client?.self) { group in
            for _ in 0..<32 { group.addTask { context.client("anybody") } }
            return await group.reduce(into: [Client?]()) { $0.append($1) }
        }
        #expect(clients.allSatisfy { $0 === clients[0] && $0 != nil })
        #expect(context.client("with space\u{7F}") == nil)
    }
}
