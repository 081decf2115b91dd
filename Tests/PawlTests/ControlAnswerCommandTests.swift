import Foundation
import TestSupport
import Testing

/// `pawl ctl settings`, `next`, `next-claims`, `device`, and what else decides what clients are answered.
@Suite struct ControlAnswerCommandTests {
    private func ctl(_ server: Server, _ arguments: [String], input: String? = nil) async throws -> ProcessRunner.Result
    {
        try await Pawl.run(
            ["ctl"] + arguments, input: input,
            environment: ProcessRunner.environment.merging(["PAWL_URL": server.url]) { $1 })
    }

    private static let service = ["-u", "service:secret", "-d", "grant_type=client_credentials"]

    @Test func changesSettings() async throws {
        let server = try await Server()
        #expect(try await ctl(server, ["settings", "set", "access_tokens.lifetime", "2s"]).exitCode == 0)
        #expect(try await server.curl("/token", Self.service).object()["expires_in"] as? Int == 2)
        // What is JSON is not taken for a text, and what is none needs no quotation marks.
        #expect(try await ctl(server, ["settings", "set", "access_tokens.lifetime", "3"]).exitCode == 0)
        #expect(try await ctl(server, ["settings", "set", "rotation", "okta,window=5s"]).exitCode == 0)
        let shown = try await ctl(server, ["settings", "show", "--json"]).object()
        #expect(shown["rotation"] as? String == "okta,window=5s")
        #expect((shown["access_tokens"] as? [String: Any])?["lifetime"] as? Int == 3)
        let changes = #"{"rotation": "auth0", "access_tokens": {"lifetime": 4}}"#
        #expect(try await ctl(server, ["settings", "change", "-"], input: changes).output.contains("auth0"))
        #expect(try await ctl(server, ["settings", "show"]).output.contains("lifetime=4"))
        // All or nothing.
        let wrong = #"{"rotation": "strict", "access_tokens": {"lifetime": "never"}}"#
        #expect(try await ctl(server, ["settings", "change", wrong]).exitCode == 1)
        #expect(try await ctl(server, ["settings", "show"]).output.contains("auth0"))
        #expect(try await ctl(server, ["reset"]).exitCode == 0)
        #expect(try await ctl(server, ["settings", "show"]).output.contains("strict"))
        #expect(await server.stop() == 0)
    }

    @Test(
        arguments: [
            (["settings", "set", "rotaton", "okta"], 1, "rotation"),
            (["settings", "set", "rotation", "okto"], 1, "okta"),
            (["settings", "set", "a..b", "1"], 2, "access_tokens.lifetime"),
            (["settings", "change", "1"], 2, "object"),
            (["next", "add"], 1, "nothing is chosen"),
            (["next", "add", "--members", "[]"], 2, "--members must be an object"),
            (["next", "add", "--header", "X"], 2, "NAME=VALUE"), (["next", "add", "--status", "99"], 2, "200"),
            (["next", "add", "--error", "x", "--endpoint", "tokn"], 1, "token"),
            (["next", "remove", "7"], 1, "not there"),
            (["next-claims", "set", "x"], 2, "object"), (["device", "approve", "AAAA-AAAA", "alice"], 1, "no device"),
            (["device", "deny", "AAAA-AAAA", "nobody"], 1, "no such user"),
            (["users", "show", "nobody"], 1, "no such user"),
            (["clients", "show", "nobody"], 1, "no such client"), (["faults", "show", "9"], 1, "no such fault"),
            (["sessions", "clear", "--user", "nobody"], 1, "no such user"),
            (["sessions", "logins", "--limit", "0"], 1, "limit"),
            (["tokens", "sign", "{}", "--header", "x"], 2, "--header"),
            (["events", "--follow", "--wait", "1s"], 2, "--follow"),
        ] as [([String], Int32, String)])
    func saysWhatIsWrong(_ arguments: [String], _ exitCode: Int32, _ expected: String) async throws {
        let server = try await Server()
        let result = try await ctl(server, arguments)
        #expect(result.exitCode == exitCode)
        #expect(result.errors.contains(expected), "\(result.errors)")
        #expect(result.output.isEmpty)
        #expect(await server.stop() == 0)
    }

    @Test func choosesTheNextAnswers() async throws {
        let server = try await Server()
        let added = try await ctl(
            server,
            [
                "next", "add", "--error", "temporarily_unavailable", "--error-description", "soon", "--status", "503",
                "--header", "Retry-After=7", "--count", "2", "--client", "service", "--json",
            ])
        #expect(try added.object()["remaining"] as? Int == 2)
        #expect(try await ctl(server, ["next", "list"]).output.contains("service"))
        for status in [503, 503, 200] {
            let answer = try await server.curl("/token", ["-i"] + Self.service)
            #expect(answer.status == status)
            #expect(answer.body.contains("soon") == (status == 503))
            #expect(answer.body.lowercased().contains("retry-after: 7") == (status == 503))
        }
        let claims = [
            "next", "add", "--access-token-claims", #"{"aud": "else"}"#, "--members", #"{"scope": "odd"}"#, "--json",
        ]
        let id = try #require(try await ctl(server, claims).object()["id"] as? Int)
        #expect(try await ctl(server, ["next", "remove", String(id)]).exitCode == 0)
        #expect(try await ctl(server, claims).exitCode == 0)
        let answer = try await server.curl("/token", Self.service).object()
        #expect(answer["scope"] as? String == "odd")
        let token = try #require(answer["access_token"] as? String)
        #expect(try await Pawl.run("token", "inspect", token).output.contains("else"))
        #expect(try await ctl(server, ["next", "add", "--body", "<html>", "--when", "after"]).exitCode == 0)
        #expect(try await ctl(server, ["next", "clear"]).exitCode == 0)
        #expect(try await server.curl("/token", Self.service).status == 200)
        #expect(await server.stop() == 0)
    }

    @Test func choosesClaimsForTheNextLogin() async throws {
        let server = try await Server()
        let set = ["next-claims", "set", #"{"roles": ["auditor"]}"#, "--user", "alice", "--count", "2"]
        #expect(try await ctl(server, set).output.contains("auditor"))
        #expect(try await ctl(server, ["next-claims", "list"]).output.contains("alice"))
        let create = ["sessions", "create", "alice", "web", "--scope", "openid", "--nonce", "n-1", "--json"]
        let tokens = try await ctl(server, create).object()
        let identity = try await Pawl.run("token", "inspect", try #require(tokens["id_token"] as? String)).output
        #expect(identity.contains("auditor") && identity.contains("n-1"))
        #expect(try await ctl(server, ["next-claims", "clear"]).exitCode == 0)
        let later = try await ctl(server, create).object()
        #expect(
            try await !Pawl.run("token", "inspect", try #require(later["id_token"] as? String)).output.contains(
                "auditor"))
        #expect(await server.stop() == 0)
    }

    @Test(arguments: [("approve", 200, "access_token"), ("deny", 400, "access_denied")])
    func decidesOnADevice(_ decision: String, _ status: Int, _ expected: String) async throws {
        let server = try await Server()
        let device = try await server.curl("/device_authorization", ["-d", "client_id=native"]).object()
        let userCode = try #require(device["user_code"] as? String)
        #expect(try await ctl(server, ["device", decision, userCode.lowercased(), "alice"]).exitCode == 0)
        #expect(try await ctl(server, ["device", "approve", userCode, "alice"]).errors.contains("decided before"))
        let code = try #require(device["device_code"] as? String)
        let grant = "grant_type=urn:ietf:params:oauth:grant-type:device_code&client_id=native&device_code=\(code)"
        let answer = try await server.curl("/token", ["-d", grant])
        #expect(answer.status == status && answer.body.contains(expected))
        #expect(await server.stop() == 0)
    }

    @Test func endsTheSessionsOfAUserOrOfAClient() async throws {
        let server = try await Server()
        for (user, client) in [("alice", "web"), ("alice", "native"), ("bob", "web")] {
            _ = try await ctl(server, ["sessions", "create", user, client, "--scope", "openid"])
        }
        #expect(try await ctl(server, ["sessions", "logins", "--user", "bob"]).output.contains("bob"))
        #expect(try await ctl(server, ["sessions", "clear", "--user", "alice", "--client", "web"]).exitCode == 0)
        #expect(try await ended(server) == ["alice web"])
        #expect(try await ctl(server, ["sessions", "clear", "--client", "web"]).exitCode == 0)
        #expect(try await ended(server) == ["alice web", "bob web"])
        #expect(try await ctl(server, ["sessions", "clear"]).exitCode == 0)
        #expect(try await ended(server) == ["alice native", "alice web", "bob web"])
        #expect(await server.stop() == 0)
    }

    private func ended(_ server: Server) async throws -> [String] {
        let families =
            try await ctl(server, ["sessions", "list", "--json"]).object()["families"] as? [[String: Any]] ?? []
        return families.filter { $0["ended"] is [String: Any] }.map { "\($0["user"] ?? "") \($0["client"] ?? "")" }
            .sorted()
    }

    @Test func showsOneAndWaitsForWhatHappens() async throws {
        let server = try await Server()
        #expect(try await ctl(server, ["show"]).output.contains("/openapi.json"))
        #expect(try await ctl(server, ["users", "show", "alice"]).output.contains("alice"))
        #expect(
            try await ctl(server, ["clients", "show", "service", "--json"]).object()["client_id"] as? String
                == "service")
        _ = try await ctl(server, ["faults", "add", "drop"])
        #expect(try await ctl(server, ["faults", "show", "1"]).output.contains("drop"))
        let frozen = try await ctl(server, ["clock", "set", "2030-01-02T03:04:05Z", "--frozen", "--json"]).object()
        #expect(frozen["frozen"] as? Bool == true)
        let signed = try await ctl(server, ["tokens", "sign", #"{"sub": "a"}"#, "--header", #"{"kid": "other"}"#])
        #expect(try await Pawl.run("token", "inspect", signed.trimmedOutput).output.contains("other"))
        let bare = try await ctl(server, ["tokens", "sign", "{}", "--header", #"{"typ": null, "kid": null}"#])
        let inspected = try await Pawl.run("token", "inspect", "--json", bare.trimmedOutput).object()
        #expect((inspected["header"] as? [String: Any])?.keys.sorted() == ["alg"])
        #expect(try await Pawl.run("ctl", "tokens", "sign", "--help").output.contains(#"--header '{"typ": null}'"#))
        let nothing = try await ctl(server, ["events", "--wait", "1ms"])
        #expect(nothing.exitCode == 1 && nothing.errors.contains("nothing has happened"))
        _ = try await ctl(server, ["clock", "resume"])
        #expect(try await ctl(server, ["events", "--after", "0", "--wait", "20s"]).output.contains("clock.moved"))
        #expect(await server.stop() == 0)
    }
}
