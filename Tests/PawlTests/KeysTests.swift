import Foundation
import TestSupport
import Testing

@Suite struct KeysTests {
    static let algorithms = [
        "HS256", "HS384", "HS512", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
        "EdDSA",
    ]

    let directory: TemporaryDirectory
    var store: String { directory.path("keys") }

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func list() async throws -> [[String: Any]] {
        try await Pawl.run("keys", "list", "--keys", store, "--json").object()["keys"] as? [[String: Any]] ?? []
    }

    @Test(arguments: algorithms)
    func makesListsAndExportsAKey(algorithm: String) async throws {
        let made = try await Pawl.run("keys", "new", "--alg", algorithm, "--keys", store, "--json")
        #expect(made.exitCode == 0, "\(made.errors)")
        let kid = try #require(try made.object()["kid"] as? String)
        let listed = try await list()
        #expect(listed.count == 1)
        #expect(listed[0]["kid"] as? String == kid)
        #expect(listed[0]["alg"] as? String == algorithm)
        #expect(listed[0]["state"] as? String == "active")
        let set = try await Pawl.run("keys", "export", "--keys", store).object()
        let published = try #require(set["keys"] as? [[String: Any]])
        // A secret has no public half.
        #expect(published.count == (algorithm.hasPrefix("HS") ? 0 : 1))
        for key in published {
            #expect(key["kid"] as? String == kid)
            #expect(key["alg"] as? String == algorithm)
            for member in ["d", "p", "q", "dp", "dq", "qi", "k"] { #expect(key[member] == nil) }
        }
    }

    @Test func showsKeysAsATable() async throws {
        let kid = try #require(
            try await Pawl.run("keys", "new", "--keys", store, "--json").object()["kid"] as? String)
        let table = try await Pawl.run("keys", "list", "--keys", store)
        #expect(table.exitCode == 0)
        let lines = table.output.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("KID"))
        #expect(lines[1].hasPrefix(kid))
        #expect(lines[1].contains("RS256"))
        #expect(lines[1].contains("active"))
    }

    @Test func keepsKeysWhereNobodyElseMayRead() async throws {
        _ = try await Pawl.run("keys", "new", "--keys", store)
        #expect(try permissions(store) == 0o700)
        #expect(try permissions(store + "/keys.json") == 0o600)
        let names = try FileManager.default.contentsOfDirectory(atPath: store)
        #expect(Set(names) == ["keys.json", "lock"])
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644])
    func refusesKeysThatOthersMayRead(mode: Int) async throws {
        _ = try await Pawl.run("keys", "new", "--keys", store)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: store + "/keys.json")
        for arguments in [["keys", "list"], ["keys", "new"], ["keys", "export"], ["token", "sign"], ["serve"]] {
            let result = try await Pawl.run(arguments + ["--keys", store])
            #expect(result.exitCode == 4, "\(arguments)")
            #expect(result.errors.contains("open to others"), "\(arguments): \(result.errors)")
            #expect(result.errors.contains("chmod 600"))
        }
    }

    @Test func refusesADirectoryThatOthersMayWriteTo() async throws {
        _ = try await Pawl.run("keys", "new", "--keys", store)
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: store)
        let result = try await Pawl.run("keys", "list", "--keys", store)
        #expect(result.exitCode == 4)
        #expect(result.errors.contains("chmod 700"))
    }

    static let damages: [(name: String, content: String)] = [
        ("empty", ""),
        ("noJSON", "keys"),
        ("cut", #"{"format":"pawl-keys","version":1,"keys":[{"role":"act"#),
        ("anotherFormat", #"{"format":"keys","version":1,"keys":[]}"#),
        ("anotherVersion", #"{"format":"pawl-keys","version":2,"keys":[]}"#),
        ("noKeys", #"{"format":"pawl-keys","version":1}"#),
        ("noKey", #"{"format":"pawl-keys","version":1,"keys":[{}]}"#),
        (
            "publicKey",
            #"{"format":"pawl-keys","version":1,"keys":[{"role":"active","jwk":{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}}]}"#
        ),
    ]

    @Test(arguments: damages.indices)
    func refusesADamagedStoreAndLeavesItAlone(index: Int) async throws {
        let (name, content) = Self.damages[index]
        try FileManager.default.createDirectory(
            atPath: store, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        _ = FileManager.default.createFile(
            atPath: store + "/keys.json", contents: Data(content.utf8), attributes: [.posixPermissions: 0o600])
        for command in [["keys", "list"], ["keys", "new"], ["serve"]] {
            let result = try await Pawl.run(command + ["--keys", store])
            #expect(result.exitCode == 3, "\(name): \(result.errors)")
            #expect(result.errors.contains("keys.json is damaged"))
        }
        #expect(FileManager.default.contents(atPath: store + "/keys.json") == Data(content.utf8))
    }

    @Test func aDirectoryWithoutKeysIsAnError() async throws {
        for command in [["keys", "list"], ["keys", "export"], ["token", "sign"]] {
            let result = try await Pawl.run(command + ["--keys", store])
            #expect(result.exitCode == 3)
            #expect(result.errors.contains("there are no keys in"))
        }
    }

    @Test func privateKeysGoIntoANewFileOfOnesOwn() async throws {
        _ = try await Pawl.run("keys", "new", "--keys", store)
        let unasked = try await Pawl.run("keys", "export", "--keys", store, "--private")
        #expect(unasked.exitCode == 2)
        #expect(unasked.output.isEmpty)
        let file = directory.path("private.pem")
        let arguments = ["keys", "export", "--keys", store, "--private", "--format", "pem", "-o", file]
        let exported = try await Pawl.run(arguments)
        #expect(exported.exitCode == 0)
        #expect(exported.output.isEmpty)
        #expect(try permissions(file) == 0o600)
        #expect(
            String(decoding: FileManager.default.contents(atPath: file) ?? Data(), as: UTF8.self).contains("PRIVATE"))
        // What is there already is not overwritten.
        #expect(try await Pawl.run(arguments).exitCode == 4)
    }

    @Test func publicKeysHaveNoPrivateHalfToExport() async throws {
        _ = try await Pawl.run("keys", "new", "--keys", store)
        let set = directory.path("set.json")
        #expect(try await Pawl.run("keys", "export", "--keys", store, "-o", set).exitCode == 0)
        let result = try await Pawl.run("keys", "export", "--key", set, "--private", "-o", "-")
        #expect(result.exitCode == 1)
        #expect(result.output.isEmpty)
    }

    @Test func findsNoKeyOfAnotherName() async throws {
        _ = try await Pawl.run("keys", "new", "--keys", store)
        let result = try await Pawl.run("keys", "export", "--keys", store, "--kid", "another")
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("there is no key another"))
    }

    @Test(arguments: ["RS256", "ES256", "ES384", "ES512", "EdDSA"])
    func opensslReadsWhatIsWritten(algorithm: String) async throws {
        let openssl = try #require(ProcessRunner.find("openssl"))
        let file = directory.path("key.pem")
        #expect(try await Pawl.run("keys", "new", "--alg", algorithm, "--format", "pem", "-o", file).exitCode == 0)
        let publicHalf = try await ProcessRunner.run(openssl, ["pkey", "-in", file, "-pubout"])
        #expect(publicHalf.exitCode == 0)
        let own = try await Pawl.run("keys", "export", "--key", file, "--format", "pem")
        #expect(own.output == publicHalf.output)
    }

    @Test func aKeyThatSignedStaysPublishedUntilItsLastTokenHasExpired() async throws {
        let first = try await Pawl.run("keys", "new", "--keys", store, "--json").object()["kid"] as? String
        let before = Date()
        _ = try await Pawl.run("token", "sign", "--keys", store, "--expires-in", "2h")
        let after = Date()
        let second = try await Pawl.run("keys", "new", "--keys", store, "--json").object()
        let former = try #require(second["former"] as? [String: Any])
        #expect(former["kid"] as? String == first)
        let until = try Date(try #require(former["published_until"] as? String), strategy: .iso8601)
        // Two hours and a minute after it was signed; what is written has whole seconds.
        #expect(until >= before.addingTimeInterval(7260 - 1) && until <= after.addingTimeInterval(7260 + 1))
        #expect(try await list().map { $0["state"] as? String } == ["retiring", "active"])
        let set = try await Pawl.run("keys", "export", "--keys", store).object()
        #expect((set["keys"] as? [Any])?.count == 2)
    }

    @Test func aKeyThatNeverSignedGoesAtOnce() async throws {
        _ = try await Pawl.run("keys", "new", "--keys", store)
        let second = try await Pawl.run("keys", "new", "--keys", store, "--json").object()
        #expect(second["former"] == nil)
        #expect(try await list().map { $0["kid"] as? String } == [second["kid"] as? String])
    }

    @Test func refusesAKeyIdentifierThatIsTaken() async throws {
        #expect(try await Pawl.run("keys", "new", "--keys", store, "--kid", "a").exitCode == 0)
        let again = try await Pawl.run("keys", "new", "--keys", store, "--kid", "a", "--alg", "EdDSA")
        #expect(again.exitCode == 1)
        #expect(again.errors.contains("same key ID"))
        #expect(try await list().count == 1)
    }

    @Test func writersAtTheSameTimeLoseNothing() async throws {
        let store = store
        let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
            for algorithm in ["ES256", "ES384", "ES512", "EdDSA", "HS256", "HS384", "HS512"] {
                group.addTask { try await Pawl.run("keys", "new", "--alg", algorithm, "--keys", store).exitCode }
            }
            return try await group.reduce(into: [Int32]()) { $0.append($1) }
        }
        #expect(codes.allSatisfy { $0 == 0 })
        #expect(try await list().count == 7)
    }

    @Test func aWriteThatFailsHalfwayLeavesTheOldStoreAndNothingElse() async throws {
        _ = try await Pawl.run("keys", "new", "--alg", "RS256", "--keys", store)
        let before = FileManager.default.contents(atPath: store + "/keys.json")
        // A file may have one kibibyte here, which every store exceeds.
        let bash = try #require(ProcessRunner.find("bash"))
        let script =
            "trap '' XFSZ; ulimit -f 1; exec '\(Pawl.executable.path())' keys new --alg RS256 --keys '\(store)'"
        let result = try await ProcessRunner.run(bash, ["-c", script])
        #expect(result.exitCode == 4)
        #expect(result.errors.contains("cannot write"))
        #expect(FileManager.default.contents(atPath: store + "/keys.json") == before)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: store)) == ["keys.json", "lock"])
        #expect(try await Pawl.run("keys", "new", "--alg", "RS256", "--keys", store).exitCode == 0)
    }

    @Test func aWriterKilledAtAnyMomentLeavesAReadableStore() async throws {
        _ = try await Pawl.run("keys", "new", "--keys", store, "--alg", "EdDSA")
        var survivors = 0
        for step in 0..<25 {
            let process = try RunningProcess(
                Pawl.executable, ["keys", "new", "--keys", store, "--alg", "EdDSA"],
                environment: ProcessRunner.environment)
            // The moment is what is tested, not waited for: from before the first instruction to after the last.
            usleep(UInt32(step * 700))
            process.send(SIGKILL)
            if await process.waitForExit() == 0 { survivors += 1 }
            let keys = try await list()
            #expect(keys.count { $0["state"] as? String == "active" } == 1)
        }
        // What a killed writer leaves behind is in nobody's way.
        #expect(try await Pawl.run("keys", "new", "--keys", store, "--alg", "EdDSA").exitCode == 0)
        #expect(try Set(FileManager.default.contentsOfDirectory(atPath: store)) == ["keys.json", "lock"])
        #expect(survivors < 25)
    }

    /// The store of a key that signs, with members of its entry changed.
    private func store(changing change: (inout [String: Any]) -> Void) async throws -> Data {
        _ = try await Pawl.run("keys", "new", "--alg", "EdDSA", "--keys", store)
        let file = URL(filePath: store + "/keys.json")
        var document = try #require(
            try JSONSerialization.jsonObject(with: try Data(contentsOf: file)) as? [String: Any])
        var entries = try #require(document["keys"] as? [[String: Any]])
        change(&entries[0])
        document["keys"] = entries
        let content = try JSONSerialization.data(withJSONObject: document)
        try content.write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path())
        return content
    }

    @Test(arguments: [Int64.max, 3_155_760_000_001, -1])
    func refusesALifetimeThatNoTokenHas(milliseconds: Int64) async throws {
        let content = try await store { $0["longest_lifetime_ms"] = milliseconds }
        for command in [["keys", "list"], ["keys", "new"], ["serve"]] {
            let result = try await Pawl.run(command + ["--keys", store])
            #expect(result.exitCode == 3, "\(command): \(result.errors)")
            #expect(result.errors.contains("longest_lifetime_ms is not a number from 0"))
        }
        #expect(FileManager.default.contents(atPath: store + "/keys.json") == content)
    }

    @Test func theLongestLifetimeIsAccepted() async throws {
        _ = try await store { $0["longest_lifetime_ms"] = 3_155_760_000_000 }
        #expect(try await Pawl.run("keys", "new", "--alg", "EdDSA", "--keys", store).exitCode == 0)
        #expect(try await list().count == 2)
    }

    /// What a token may say must not make a time that the store cannot say.
    @Test func aTokenUntilTheEndOfTimeLeavesAReadableStore() async throws {
        _ = try await Pawl.run("keys", "new", "--alg", "EdDSA", "--keys", store)
        let signed = try await Pawl.run("token", "sign", "--keys", store, "--claim", "exp=253402300799")
        #expect(signed.exitCode == 0)
        #expect(try await Pawl.run("keys", "new", "--alg", "EdDSA", "--keys", store).exitCode == 0)
        let kept = try await list()
        #expect(kept.map { $0["state"] as? String } == ["retiring", "active"])
        #expect(kept[0]["published_until"] as? String == "9999-12-31T23:59:59Z")
        #expect(try await Pawl.run("keys", "new", "--alg", "EdDSA", "--keys", store).exitCode == 0)
    }

    @Test func refusesMoreKeysThanAVerifierReads() async throws {
        _ = try await Pawl.run("keys", "new", "--alg", "EdDSA", "--keys", store)
        let file = URL(filePath: store + "/keys.json")
        var document = try #require(
            try JSONSerialization.jsonObject(with: try Data(contentsOf: file)) as? [String: Any])
        let active = try #require((document["keys"] as? [[String: Any]])?.first)
        var retired = active
        retired["role"] = "retiring"
        retired["published_until"] = "2999-01-01T00:00:00.000Z"
        retired["latest_expiry"] = "2999-01-01T00:00:00.000Z"
        func keep(_ count: Int) throws {
            document["keys"] =
                [active]
                + (1..<count).map { number in
                    var entry = retired
                    var jwk = entry["jwk"] as? [String: Any] ?? [:]
                    jwk["kid"] = "k\(number)"
                    entry["jwk"] = jwk
                    return entry
                }
            try JSONSerialization.data(withJSONObject: document).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path())
        }
        try keep(257)
        #expect(try await Pawl.run("keys", "list", "--keys", store).errors.contains("more than 256 keys"))
        try keep(256)
        #expect(try await list().count == 256)
        let refused = try await Pawl.run("keys", "new", "--alg", "EdDSA", "--keys", store)
        #expect(refused.exitCode == 1)
        #expect(refused.errors.contains("more than 256 keys"))
        #expect(try await list().count == 256)
    }

    @Test func aKeyFileIsWrittenWholeOrNotAtAll() async throws {
        let file = directory.path("key.pem")
        let bash = try #require(ProcessRunner.find("bash"))
        let command = "'\(Pawl.executable.path())' keys new --alg RS256 --format pem -o '\(file)'"
        let failed = try await ProcessRunner.run(bash, ["-c", "trap '' XFSZ; ulimit -f 1; exec \(command)"])
        #expect(failed.exitCode == 4)
        #expect(failed.errors.contains("cannot write"))
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try await ProcessRunner.run(bash, ["-c", command]).exitCode == 0)
    }

    @Test func signsOnlyWithAKeyThatSignsNow() async throws {
        let content = try await store { $0["role"] = "active" }
        #expect(!content.isEmpty)
        let former = try #require(try await list()[0]["kid"] as? String)
        // The next key took over a while ago, and no server has written it down.
        let file = URL(filePath: store + "/keys.json")
        var document = try #require(try JSONSerialization.jsonObject(with: content) as? [String: Any])
        var entries = try #require(document["keys"] as? [[String: Any]])
        let other = directory.path("other.jwk")
        #expect(try await Pawl.run("keys", "new", "--alg", "EdDSA", "--kid", "next", "-o", other).exitCode == 0)
        entries.append([
            "role": "next", "active_from": "2020-01-01T00:00:00.000Z", "created": "2020-01-01T00:00:00.000Z",
            "longest_lifetime_ms": 0,
            "jwk": try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: other))),
        ])
        document["keys"] = entries
        try JSONSerialization.data(withJSONObject: document).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path())
        let signed = try await Pawl.run("token", "sign", "--keys", store, "--json").object()
        #expect(signed["kid"] as? String == "next")
        #expect(try await list().map { $0["kid"] as? String } == ["next"])
        #expect(former != "next")
    }
}
