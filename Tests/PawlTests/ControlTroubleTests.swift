import Foundation
import TestSupport
import Testing

/// What the control API says while the database cannot be used: that it may be tried again, and never that it was done.
@Suite struct ControlTroubleTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    private var database: String { directory.path("data/pawl.db") }

    private func call(
        _ method: String, _ path: String, _ body: String? = nil, _ more: [String] = [], at server: Server
    ) async throws -> Server.Answer {
        let content = body.map { ["-H", "Content-Type: application/json", "-d", $0] } ?? []
        return try await server.curl("/_pawl" + path, ["-X", method] + content + more)
    }

    /// What can be done once more is done then, whatever of it the first try has done already.
    @Test(arguments: [
        ("POST", "/sessions", 201), ("POST", "/tokens/revoke", 200), ("DELETE", "/sessions?user=bob", 204),
        ("DELETE", "/users/bob", 204), ("DELETE", "/clients/web", 204), ("POST", "/reset", 204),
    ])
    func saysThatItMayBeTriedAgain(method: String, path: String, expected: Int) async throws {
        let server = try await Server(["--data", directory.path("data")], in: directory)
        let session = #"{"user": "bob", "client": "web", "scope": "openid offline_access"}"#
        let begun = try await call("POST", "/sessions", session, at: server)
        #expect(begun.status == 201, "\(begun.body)")
        let token = try #require(try begun.object()["refresh_token"] as? String)
        let body = path == "/sessions" ? session : path == "/tokens/revoke" ? #"{"token": "\#(token)"}"# : nil

        try FileManager.default.moveItem(atPath: database, toPath: database + ".away")
        let refused = try await call(method, path, body, ["-i"], at: server)
        #expect(refused.status == 503, "\(refused.body)")
        #expect(refused.body.lowercased().contains("\r\nretry-after: "), "\(refused.body)")
        #expect(refused.body.contains(#""temporarily_unavailable""#), "\(refused.body)")
        #expect(!refused.body.contains(token))

        try FileManager.default.moveItem(atPath: database + ".away", toPath: database)
        let done = try await call(method, path, body, at: server)
        #expect(done.status == expected, "\(done.body)")
        let refresh = try await server.curl(
            "/token", ["-d", "grant_type=refresh_token&client_id=web&refresh_token=\(token)"])
        #expect(refresh.status == (path == "/sessions" ? 200 : path == "/clients/web" ? 401 : 400), "\(refresh.body)")
        #expect(await server.stop() == 0)
    }

    @Test func theCommandSaysSo() async throws {
        let server = try await Server(["--data", directory.path("data")], in: directory)
        try FileManager.default.moveItem(atPath: database, toPath: database + ".away")
        let control = try await Pawl.run("ctl", "reset", "--url", server.url)
        #expect(control.exitCode == 1 && control.output.isEmpty)
        #expect(control.errors.contains("try again"), "\(control.errors)")
        try FileManager.default.moveItem(atPath: database + ".away", toPath: database)
        #expect(await server.stop() == 0)
    }
}
