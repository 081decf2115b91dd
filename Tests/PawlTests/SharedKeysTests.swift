import Foundation
import TestSupport
import Testing

/// A server, and others who work with its keys at the same time.
@Suite struct SharedKeysTests {
    let directory: TemporaryDirectory
    var store: String { directory.path("keys") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func serve(_ arguments: String...) async throws -> Server {
        try await Server(["--keys", store, "--alg", "EdDSA"] + arguments, in: directory)
    }

    private func keyID(of token: String) async throws -> String? {
        let header = try await Pawl.run("token", "inspect", "-", "--json", input: token).object()["header"]
        return (header as? [String: Any])?["kid"] as? String
    }

    private func newKey() async throws -> String? {
        try await Pawl.run("keys", "new", "--keys", store, "--alg", "EdDSA", "--json").object()["kid"] as? String
    }

    /// Waits until another key than `former` signs; each look takes a request and a process.
    private func takeover(of former: String?, at server: Server) async throws -> Bool {
        for _ in 0..<1000 where try await keyID(of: try await server.token()) != former { return true }
        return false
    }

    @Test func withoutAWordAboutItAServerSignsWithTheKeyThatWasMadeForIt() async throws {
        let made = try await Pawl.run("keys", "new", "--keys", store, "--json").object()["kid"] as? String
        let server = try await Server(["--keys", store], in: directory, algorithm: nil)
        #expect(try await keyID(of: try await server.token()) == made)
        #expect(await server.stop() == 0)
    }

    /// The key is to retire when the token is signed: the server knows neither when it makes the next one.
    @Test func aTokenSignedBesideARotatingServerKeepsItsKeyPublished() async throws {
        let server = try await serve("--rotate-keys-every", "2s", "--token-lifetime", "1s")
        let signed = try await Pawl.run("token", "sign", "--keys", store, "--expires-in", "2h").trimmedOutput
        let signer = try #require(try await keyID(of: signed))
        #expect(try await takeover(of: signer, at: server))
        // The server reads the directory again when it has happened.
        #expect(await server.process.errors.first { $0.contains("keys read again") } != nil)
        #expect(try await server.keyIDs().contains(signer))
        #expect(await server.stop() == 0)
        #expect(try await serveAgainAndList().contains(signer))
    }

    private func serveAgainAndList() async throws -> [String] {
        let server = try await serve()
        let keys = try await server.keyIDs()
        #expect(await server.stop() == 0)
        return keys
    }

    @Test func aTokenOfTenYearsDoesNotKeepLaterKeysForever() async throws {
        let server = try await serve()
        #expect(
            try await Pawl.run("token", "sign", "--keys", store, "--expires-in", "3650d").exitCode == 0)
        server.process.send(SIGHUP)
        #expect(await server.process.errors.first { $0.contains("keys read again") } != nil)
        #expect(await server.stop() == 0)
        let content = try Data(contentsOf: URL(filePath: store + "/keys.json"))
        let document = try #require(try JSONSerialization.jsonObject(with: content) as? [String: Any])
        let lifetimes = (document["keys"] as? [[String: Any]])?.map { $0["longest_lifetime_ms"] as? Int }
        #expect(lifetimes == [300_000])
    }

    /// A server that does not know that its key has retired goes on with it, and is killed.
    @Test func aKeyThatRetiredUnseenStaysForWhatTheServerSignedSince() async throws {
        let server = try await serve()
        let oldKey = try await keyID(of: try await server.token())
        let newKey = try await newKey()
        let token = try await server.token()
        #expect(try await keyID(of: token) == oldKey)
        // One more: the first one is forgotten, the key of the server is not.
        let newest = try await self.newKey()
        server.process.send(SIGKILL)
        #expect(await server.process.waitForExit() == 128 + SIGKILL)
        let keys = try await serveAgainAndList()
        #expect(keys == [newest, oldKey])
        #expect(newKey != newest)
    }

    @Test func rotationCountsFromTheAgeOfTheKey() async throws {
        let first = try await serve()
        let oldKey = try await keyID(of: try await first.token())
        #expect(await first.stop() == 0)
        let file = URL(filePath: store + "/keys.json")
        var content = try String(contentsOf: file, encoding: .utf8)
        content.replace(#/"created": "[^"]*"/#, with: #""created": "2020-01-01T00:00:00.000Z""#)
        try Data(content.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path())
        let second = try await serve("--rotate-keys-every", "30d")
        #expect(await second.process.errors.first { $0.contains("key published") } != nil)
        let published = try await second.keyIDs()
        #expect(published.count == 2)
        #expect(published.first == oldKey)
        #expect(await second.stop() == 0)
        // The next one is young: nothing is to be made.
        let third = try await serve("--rotate-keys-every", "30d")
        #expect(try await third.keyIDs() == published)
        #expect(await third.stop() == 0)
    }

    @Test(arguments: [("1m", "1d"), ("1ms", "5m"), ("1h", "3650d")])
    func refusesToMakeMoreKeysThanThereMayBe(interval: String, lifetime: String) async throws {
        let result = try await Pawl.run(
            "serve", "--listen", "127.0.0.1:0", "--rotate-keys-every", interval, "--token-lifetime", lifetime)
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("more than 256 keys"))
        #expect(result.errors.contains("--rotate-keys-every"))
    }

    @Test(arguments: [SIGHUP, SIGTERM])
    func aDirectoryThatIsLockedDoesNotKeepTheServerFromEnding(signal: Int32) async throws {
        let server = try await serve()
        let lock = open(store + "/lock", O_RDWR | O_CLOEXEC)
        #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
        defer { close(lock) }
        // After SIGHUP it waits for the keys, and ends all the same when it is told to, again and again: by 130, and not by
        // having waited until it gave up.
        server.process.send(signal)
        #expect(await server.process.signalUntilExit(SIGTERM) == 130)
        #expect(await server.process.errors.first { $0.contains("draining") } != nil)
    }
}
