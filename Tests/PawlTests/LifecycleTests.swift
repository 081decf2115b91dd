import Foundation
import TestSupport
import Testing

@Suite struct LifecycleTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func endsInGoodOrder(signal: Int32) async throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path("socket")
        let server = try await Server(["--listen", "unix:\(socket)"], in: directory)
        server.process.send(signal)
        #expect(await server.process.waitForExit() == 0)
        #expect(await server.process.errors.first { $0.contains("\"ended\"") } != nil)
        #expect(!FileManager.default.fileExists(atPath: socket))
    }

    /// A client that has sent half a request and then nothing.
    private func holdARequest(of server: Server) async throws -> RunningProcess {
        let shell = try #require(ProcessRunner.find("bash"))
        let port = try #require(server.addresses[0].port)
        let script = """
            exec 3<>/dev/tcp/127.0.0.1/\(port)
            printf 'POST /token HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 100\\r\\nExpect: 100-continue\\r\\n\\r\\n' >&3
            read -r line <&3; echo "$line"; read -r line <&3; cat <&3
            """
        let client = try RunningProcess(shell, ["-c", script], environment: ProcessRunner.environment)
        // The interim response says that the server has the head.
        #expect(await client.output.first { $0.contains("100") } != nil)
        return client
    }

    @Test func aRequestThatNeverEndsDoesNotHoldItUpForLong() async throws {
        let server = try await Server(["--drain-timeout", "300ms"])
        let client = try await holdARequest(of: server)
        let start = ContinuousClock.now
        #expect(await server.stop() == 0)
        #expect(ContinuousClock.now - start < .seconds(10))
        _ = await client.waitForExit()
    }

    @Test func aSecondSignalEndsItAtOnce() async throws {
        let server = try await Server(["--drain-timeout", "10m"])
        let client = try await holdARequest(of: server)
        server.process.send(SIGTERM)
        #expect(await server.process.errors.first { $0.contains("draining") } != nil)
        #expect(await server.process.signalUntilExit(SIGTERM) == 130)
        _ = await client.waitForExit()
    }

    @Test func saysThatItIsNotReadyBeforeItStopsServing() async throws {
        let server = try await Server(["--drain-notice", "10m"])
        #expect(try await server.curl("/ready").status == 200)
        server.process.send(SIGTERM)
        #expect(await server.process.errors.first { $0.contains("draining") } != nil)
        #expect(try await server.curl("/ready").status == 503)
        #expect(try await server.curl("/health").status == 200)
        #expect(await server.process.signalUntilExit(SIGTERM) == 130)
    }

    /// timeout(1) sends one to the process and one to its group.
    @Test func twoSignalsAtOnceAreOneWish() async throws {
        let server = try await Server(["--drain-timeout", "200ms"])
        let client = try await holdARequest(of: server)
        server.process.send(SIGTERM)
        server.process.send(SIGTERM)
        #expect(await server.process.waitForExit() == 0)
        _ = await client.waitForExit()
    }

    @Test func keepsItsKeysForTheNextRun() async throws {
        let directory = try TemporaryDirectory()
        let arguments = ["--keys", directory.path("keys"), "--alg", "ES256"]
        let first = try await Server(arguments, in: directory)
        let token = try await first.token()
        let keys = try await first.keyIDs()
        #expect(keys.count == 1)
        #expect(await first.stop() == 0)
        let second = try await Server(arguments, in: directory)
        #expect(try await second.keyIDs() == keys)
        let verified = try await Pawl.run("token", "verify", "-", "--keys", directory.path("keys"), input: token)
        #expect(verified.exitCode == 0)
        #expect(await second.stop() == 0)
    }

    @Test func keepsItsKeysEvenWhenItIsKilled() async throws {
        let directory = try TemporaryDirectory()
        let arguments = ["--keys", directory.path("keys"), "--alg", "ES256"]
        let first = try await Server(arguments, in: directory)
        let token = try await first.token()
        first.process.send(SIGKILL)
        #expect(await first.process.waitForExit() == 128 + SIGKILL)
        // The key that comes next finds written down for how long the one before may have signed.
        let made = try await Pawl.run(["keys", "new"] + arguments + ["--json"]).object()
        let former = try #require(made["former"] as? [String: Any])
        #expect(former["state"] as? String == "retiring")
        let second = try await Server(arguments, in: directory)
        #expect(try await second.keyIDs().count == 2)
        let verified = try await Pawl.run("token", "verify", "-", "--keys", directory.path("keys"), input: token)
        #expect(verified.exitCode == 0)
        #expect(await second.stop() == 0)
    }

    @Test func keysInMemoryAreNewInEveryRun() async throws {
        let first = try await Server()
        let second = try await Server()
        #expect(try await first.keyIDs() != second.keyIDs())
        #expect(await first.stop() == 0)
        #expect(await second.stop() == 0)
    }

    @Test func takesUpANewKeyAtSIGHUPAndKeepsTheOldOnePublished() async throws {
        let directory = try TemporaryDirectory()
        let store = directory.path("keys")
        let server = try await Server(["--keys", store, "--alg", "ES256"], in: directory)
        let oldToken = try await server.token()
        let oldKeys = try await server.keyIDs()
        let made = try await Pawl.run("keys", "new", "--alg", "ES256", "--keys", store, "--json").object()
        let newKey = try #require(made["kid"] as? String)
        #expect(try await server.keyIDs() == oldKeys)
        server.process.send(SIGHUP)
        #expect(await server.process.errors.first { $0.contains("keys read again") && $0.contains(newKey) } != nil)
        // The key that signs comes first.
        #expect(try await server.keyIDs() == [newKey] + oldKeys)
        let newToken = try await server.token()
        let set = directory.path("set.json")
        try Data(try await server.curl("/jwks.json").body.utf8).write(to: URL(filePath: set))
        for token in [oldToken, newToken] {
            #expect(try await Pawl.run("token", "verify", "-", "--jwks", set, input: token).exitCode == 0)
        }
        let header = try await Pawl.run("token", "inspect", "-", "--json", input: newToken).object()["header"]
        #expect((header as? [String: Any])?["kid"] as? String == newKey)
        #expect(await server.stop() == 0)
        // And so it stays in the next run.
        let next = try await Server(["--keys", store, "--alg", "ES256"], in: directory)
        #expect(try await next.keyIDs() == [newKey] + oldKeys)
        #expect(await next.stop() == 0)
    }

    @Test func aTokenSignedBesideTheServerKeepsItsKeyPublished() async throws {
        let directory = try TemporaryDirectory()
        let store = directory.path("keys")
        let server = try await Server(["--keys", store, "--alg", "ES256"], in: directory)
        let oldKeys = try await server.keyIDs()
        #expect(try await Pawl.run("token", "sign", "--keys", store, "--expires-in", "2h").exitCode == 0)
        #expect(try await Pawl.run("keys", "new", "--alg", "ES256", "--keys", store).exitCode == 0)
        server.process.send(SIGHUP)
        #expect(await server.process.errors.first { $0.contains("keys read again") } != nil)
        #expect(try await server.keyIDs().dropFirst() == oldKeys[...])
        #expect(await server.stop() == 0)
    }

    @Test func aDamagedStoreChangesNothingAtSIGHUP() async throws {
        let directory = try TemporaryDirectory()
        let store = directory.path("keys")
        let server = try await Server(["--keys", store, "--alg", "ES256"], in: directory)
        let keys = try await server.keyIDs()
        try Data("damaged".utf8).write(to: URL(filePath: store + "/keys.json"))
        server.process.send(SIGHUP)
        #expect(await server.process.errors.first { $0.contains("the keys stay as they were") } != nil)
        #expect(try await server.keyIDs() == keys)
        _ = try await server.token()
        #expect(await server.stop() == 0)
        #expect(FileManager.default.contents(atPath: store + "/keys.json") == Data("damaged".utf8))
    }

    @Test func rotatesByItself() async throws {
        let directory = try TemporaryDirectory()
        let store = directory.path("keys")
        let server = try await Server(
            [
                "--keys", store, "--alg", "EdDSA", "--rotate-keys-every", "1s", "--token-lifetime", "100s",
                "--id-token-lifetime", "100s",
            ],
            in: directory)
        func keyID(of token: String) async throws -> String? {
            let header = try await Pawl.run("token", "inspect", "-", "--json", input: token).object()["header"]
            return (header as? [String: Any])?["kid"] as? String
        }
        let oldToken = try await server.token()
        let oldKey = try #require(try await keyID(of: oldToken))
        // Each look takes a request and a process: there are many within the time that a rotation may take.
        var newKey: String? = oldKey
        for _ in 0..<1000 where newKey == oldKey { newKey = try await keyID(of: try await server.token()) }
        #expect(newKey != oldKey)
        #expect(try await server.keyIDs().contains(oldKey))
        let set = directory.path("set.json")
        try Data(try await server.curl("/jwks.json").body.utf8).write(to: URL(filePath: set))
        #expect(try await Pawl.run("token", "verify", "-", "--jwks", set, input: oldToken).exitCode == 0)
        #expect(await server.stop() == 0)
        // All of it is kept.
        let listed = try await Pawl.run("keys", "list", "--keys", store, "--json").object()["keys"] as? [[String: Any]]
        #expect(listed?.count { $0["state"] as? String == "active" } == 1)
        #expect(listed?.contains { $0["kid"] as? String == oldKey && $0["state"] as? String == "retiring" } == true)
    }

    @Test func readsItsCertificateAgainAtSIGHUP() async throws {
        let openssl = try #require(ProcessRunner.find("openssl"))
        let directory = try TemporaryDirectory()
        let (certificate, key) = (directory.path("cert.pem"), directory.path("key.pem"))
        func makeCertificate() async throws {
            let result = try await ProcessRunner.run(
                openssl,
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-out", certificate,
                    "-keyout", key,
                ])
            #expect(result.exitCode == 0, "\(result.errors)")
        }
        try await makeCertificate()
        let server = try await Server(
            ["--no-http", "--tls-listen", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key", key], in: directory)
        let url = "https://localhost:\(try #require(server.addresses[0].port))"
        #expect(try await server.curl("/health", ["--cacert", certificate], url: url).status == 200)
        try await makeCertificate()
        #expect(try await server.curl("/health", ["--cacert", certificate], url: url).exitCode != 0)
        server.process.send(SIGHUP)
        #expect(await server.process.errors.first { $0.contains("certificate read again") } != nil)
        #expect(try await server.curl("/health", ["--cacert", certificate], url: url).status == 200)
        // One that is no good does not replace one that is.
        try Data("no certificate".utf8).write(to: URL(filePath: directory.path("other.pem")))
        try FileManager.default.removeItem(atPath: key)
        server.process.send(SIGHUP)
        #expect(await server.process.errors.first { $0.contains("the certificate stays as it was") } != nil)
        #expect(try await server.curl("/health", ["--cacert", certificate], url: url).status == 200)
        #expect(await server.stop() == 0)
    }
}
