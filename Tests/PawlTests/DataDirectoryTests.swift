import Foundation
import TestSupport
import Testing

/// `pawl serve --data` and `pawl backup`, as users have them.
@Suite struct DataDirectoryTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var data: String { directory.path("data") }

    private func serve() async throws -> Server {
        try await Server(["--data", data, "--allow-legacy", "password", "--alg", "ES256"], in: directory)
    }

    private static let login = ["-u", "service:secret", "-d", "grant_type=password&username=alice&password=alice"]

    private func refresh(_ token: String, at server: Server, path: String = "") async throws -> [String: Any] {
        try await server.curl(
            path + "/token", ["-u", "service:secret", "-d", "grant_type=refresh_token&refresh_token=\(token)"]
        ).object()
    }

    @Test(arguments: ["", "/t/acme"])
    func refreshTokensAreGoodAfterARestart(path: String) async throws {
        let first = try await serve()
        let answer = try await first.curl(path + "/token", Self.login)
        let tokens = try answer.object()
        let token = try #require(tokens["refresh_token"] as? String, "\(answer.body)")
        #expect(await first.stop() == 0)
        let second = try await serve()
        #expect(try await refresh(token, at: second, path: path)["access_token"] != nil)
        // What was spent in one run is spent in the next.
        #expect(await second.stop() == 0)
        let third = try await serve()
        #expect(try await refresh(token, at: third, path: path)["error"] as? String == "invalid_grant")
        // And of another tenant it is no token at all.
        let other = try await third.curl(path + "/token", Self.login).object()
        let stranger = try #require(other["refresh_token"] as? String)
        let elsewhere = path.isEmpty ? "/t/acme" : ""
        #expect(try await refresh(stranger, at: third, path: elsewhere)["error"] as? String == "invalid_grant")
        #expect(try await refresh(stranger, at: third, path: path)["access_token"] != nil)
        _ = await third.stop()
    }

    @Test func keysAndTheSecretAreForTheOwnerAlone() async throws {
        let server = try await serve()
        let keys = try await server.keyIDs()
        for name in ["secret", "pawl.db", "keys/keys.json"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: data + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == 0o600, "\(name)")
        }
        _ = await server.stop()
        let again = try await serve()
        #expect(try await again.keyIDs() == keys)
        _ = await again.stop()
    }

    @Test func aSecondServerIsToldWhatToDo() async throws {
        let server = try await serve()
        let result = try await Pawl.run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(result.exitCode != 0)
        #expect(result.errors.contains("is in use by another process, \(server.process.identifier)"))
        #expect(result.errors.contains("--data"))
        _ = await server.stop()
    }

    @Test func refusesADatabaseWithoutItsSecret() async throws {
        _ = await (try await serve()).stop()
        try FileManager.default.removeItem(atPath: data + "/secret")
        let result = try await Pawl.run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(result.exitCode != 0)
        #expect(result.errors.contains("secret"))
    }

    @Test func copiesTheDatabaseWhileItServes() async throws {
        let server = try await serve()
        _ = try await server.curl("/token", Self.login)
        let copy = directory.path("copy.db")
        #expect(try await Pawl.run("backup", "--data", data, "--to", copy).exitCode == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: copy)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let again = try await Pawl.run("backup", "--data", data, "--to", copy)
        #expect(again.exitCode != 0)
        #expect(again.errors.contains("is there already"))
        _ = await server.stop()
    }

    @Test(arguments: [["backup"], ["backup", "--to", "x"], ["backup", "--data", "x"]])
    func backupSaysWhatIsMissing(arguments: [String]) async throws {
        let result = try await Pawl.run(arguments)
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("is missing"))
    }
}
