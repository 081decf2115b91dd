import Foundation
import TestSupport
import Testing

/// `pawl serve --data` and `pawl backup`, as users have them.
@Suite struct DataDirectoryTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var data: String { directory.path("data") }

    private func serve() async throws -> Server {
        try await Server(
            ["--data", data, "--allow-legacy", "password", "--registration", "open"],
            in: directory)
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

    private static let registration = [
        "-H", "Content-Type: application/json", "-d",
        #"{"client_name": "App", "grant_types": ["client_credentials"], "redirect_uris": []}"#,
    ]

    @Test(arguments: ["", "/t/acme"])
    func clientsThatRegisteredAreThereAfterARestart(path: String) async throws {
        let first = try await serve()
        let answer = try await first.curl(path + "/register", Self.registration)
        #expect(answer.status == 201, "\(answer.body)")
        let client = try answer.object()
        let id = try #require(client["client_id"] as? String)
        let secret = try #require(client["client_secret"] as? String)
        let bearer = "Authorization: Bearer " + (try #require(client["registration_access_token"] as? String))
        let place = path + "/register?client_id=" + id
        #expect(await first.stop() == 0)
        // Nobody who reads the database learns the secret.
        let database = try Data(contentsOf: URL(filePath: data + "/pawl.db"))
        #expect(database.range(of: Data(secret.utf8)) == nil)
        #expect(database.range(of: Data(id.utf8)) != nil)
        let second = try await serve()
        let token = try await second.curl(
            path + "/token", ["-u", "\(id):\(secret)", "-d", "grant_type=client_credentials"])
        #expect(token.status == 200, "\(token.body)")
        let found = try await second.curl(place, ["-H", bearer]).object()
        #expect(found["client_name"] as? String == "App")
        #expect(found["client_id_issued_at"] as? Int == client["client_id_issued_at"] as? Int)
        #expect(try await second.curl(place, ["-X", "DELETE", "-H", bearer]).status == 204)
        #expect(await second.stop() == 0)
        let third = try await serve()
        #expect(try await third.curl(place, ["-H", bearer]).status == 401)
        _ = await third.stop()
    }

    /// What is removed by whoever runs the provider, and what a reset forgets, stays away.
    @Test(arguments: [["-X", "DELETE", "/_pawl/clients/ID"], ["-X", "POST", "/_pawl/reset"]])
    func aClientThatIsTakenAwayDoesNotComeBack(request: [String]) async throws {
        let first = try await serve()
        let client = try await first.curl("/register", Self.registration).object()
        let id = try #require(client["client_id"] as? String)
        let bearer = "Authorization: Bearer " + (try #require(client["registration_access_token"] as? String))
        let done = try await first.curl(
            request[2].replacing("ID", with: id), Array(request[..<2]))
        #expect((200..<300).contains(done.status), "\(done.body)")
        #expect(await first.stop() == 0)
        let second = try await serve()
        #expect(try await second.curl("/register?client_id=" + id, ["-H", bearer]).status == 401)
        _ = await second.stop()
    }

    @Test func keysOfTenantsAreThereAfterARestart() async throws {
        let first = try await serve()
        let token = try await first.token(url: first.url + "/t/acme")
        let keys = try await keys(of: "acme", at: first)
        #expect(!keys.isEmpty)
        #expect(await first.stop() == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: data + "/tenants/acme/keys.json")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let second = try await serve()
        #expect(try await self.keys(of: "acme", at: second) == keys)
        #expect(try await self.keys(of: "other", at: second) != keys)
        let active = try await second.curl(
            "/t/acme/introspect", ["-u", "service:secret", "-d", "token=\(token)"])
        #expect(active.status == 200)
        // Another tenant of the name is another tenant.
        #expect(try await second.curl("/_pawl/tenants/acme", ["-X", "DELETE"]).status == 204)
        #expect(!FileManager.default.fileExists(atPath: data + "/tenants/acme"))
        #expect(try await self.keys(of: "acme", at: second) != keys)
        _ = await second.stop()
    }

    /// Anybody can make a tenant up, and the disk has an end.
    @Test func keepsTheKeysOfSoManyTenants() async throws {
        for number in 0..<10_000 {
            try FileManager.default.createDirectory(
                atPath: data + "/tenants/t\(number)", withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: data)
        let server = try await serve()
        #expect(try await server.curl("/t/another/jwks.json").status == 503)
        #expect(try await keys(of: "t7", at: server).count == 1)
        #expect(try await server.curl("/jwks.json").status == 200)
        _ = await server.stop()
    }

    private func keys(of tenant: String, at server: Server) async throws -> [String] {
        let keys = try await server.curl("/t/\(tenant)/jwks.json").object()["keys"] as? [[String: Any]] ?? []
        return keys.compactMap { $0["kid"] as? String }.sorted()
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
        #expect(result.errors.contains("put its copy back"))
    }

    /// Every token of it would be refused, and every record of it damaged.
    @Test func refusesADatabaseOfAnotherSecret() async throws {
        _ = await (try await serve()).stop()
        let other = directory.path("other")
        _ = await (try await Server(["--data", other], in: directory)).stop()
        try FileManager.default.removeItem(atPath: data + "/secret")
        try FileManager.default.copyItem(atPath: other + "/secret", toPath: data + "/secret")
        let result = try await Pawl.run("serve", "--data", data, "--listen", "127.0.0.1:0")
        #expect(result.exitCode != 0)
        #expect(result.errors.contains("made with another secret"))
    }

    /// Whoever puts the database back finds what he had: whether the start was refused meanwhile, or made another.
    @Test(arguments: [true, false])
    func aSecretThatIsThereIsNeverReplaced(hasLog: Bool) async throws {
        let first = try await serve()
        let tokens = try await first.curl("/token", Self.login).object()
        let token = try #require(tokens["refresh_token"] as? String)
        #expect(await first.stop() == 0)
        let (database, aside, log) = (data + "/pawl.db", data + "/aside", data + "/pawl.db-wal")
        let secret = try Data(contentsOf: URL(filePath: data + "/secret"))
        try FileManager.default.moveItem(atPath: database, toPath: aside)
        if hasLog {
            try Data(repeating: 1, count: 100).write(to: URL(filePath: log))
            let result = try await Pawl.run("serve", "--data", data, "--listen", "127.0.0.1:0")
            #expect(result.exitCode != 0)
            #expect(result.errors.contains("its log is there"))
            try FileManager.default.removeItem(atPath: log)
        } else {
            _ = await (try await serve()).stop()
            try FileManager.default.removeItem(atPath: database)
        }
        #expect(try Data(contentsOf: URL(filePath: data + "/secret")) == secret)
        try FileManager.default.moveItem(atPath: aside, toPath: database)
        let second = try await serve()
        #expect(try await refresh(token, at: second)["access_token"] != nil)
        _ = await second.stop()
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
