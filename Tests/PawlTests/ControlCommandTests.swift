import Foundation
import TestSupport
import Testing

/// `pawl ctl`, against a server.
@Suite struct ControlCommandTests {
    private func ctl(
        _ server: Server, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> ProcessRunner.Result {
        try await Pawl.run(
            ["ctl"] + arguments,
            environment: ProcessRunner.environment.merging(["PAWL_URL": server.url]) { $1 }.merging(environment) { $1 })
    }

    @Test func looksAtAServerAndChangesIt() async throws {
        let server = try await Server()
        #expect(try await ctl(server, ["users", "list"]).output.contains("alice"))
        #expect(try await ctl(server, ["clock", "freeze"]).exitCode == 0)
        #expect(try await ctl(server, ["clock", "set", "2030-01-02T03:04:05Z"]).output.contains("2030-01-02T03:04:05"))
        let clock = try await ctl(server, ["clock", "advance", "1h", "--json"]).object()
        #expect((clock["now"] as? String)?.hasPrefix("2030-01-02T04:04:05") == true)
        #expect(try await ctl(server, ["clock", "reset"]).exitCode == 0)
        let session = try await ctl(server, ["sessions", "create", "alice", "web", "--scope", "openid", "--json"])
            .object()
        #expect(session["access_token"] != nil)
        let families = try await ctl(server, ["families", "list", "--json"]).object()["families"] as? [[String: Any]]
        let id = try #require(families?.first?["id"] as? String)
        #expect(try await ctl(server, ["families", "show", id, "--format", "dot"]).output.hasPrefix("digraph"))
        #expect(try await ctl(server, ["sessions", "end", id]).exitCode == 0)
        #expect(try await ctl(server, ["sessions", "list"]).output.contains("ended"))
        #expect(try await ctl(server, ["keys", "rotate"]).output.contains("KID"))
        #expect(try await ctl(server, ["tenants", "put", "one"]).exitCode == 0)
        #expect(try await ctl(server, ["tenants", "list"]).output.contains("/t/one"))
        #expect(try await ctl(server, ["clients", "list"]).output.contains("native"))
        #expect(try await ctl(server, ["users", "put", "carol", #"{"claims": {"roles": ["admin"]}}"#]).exitCode == 0)
        #expect(try await ctl(server, ["users", "remove", "carol"]).exitCode == 0)
        #expect(try await ctl(server, ["reset"]).exitCode == 0)
        #expect(await server.stop() == 0)
    }

    @Test func followsTheStreamOfEvents() async throws {
        let server = try await Server()
        _ = try await ctl(server, ["events"])
        let following = try RunningProcess(
            Pawl.executable,
            ["ctl", "events", "--follow", "--kind", "tokens,family", "--after", "0", "--url", server.url],
            environment: ProcessRunner.environment)
        let session = try await ctl(server, ["sessions", "create", "alice", "web", "--scope", "openid", "--json"])
        #expect(session.exitCode == 0)
        #expect(await following.output.first { $0.contains("family.begun") } != nil)
        let issued = await following.output.first { $0.contains("tokens.issued") }
        #expect(issued?.contains("client=web") == true)
        // The server ends the stream, and that is no failure.
        #expect(await server.stop() == 0)
        #expect(await following.waitForExit() == 0)
        #expect(following.errors.text.isEmpty)
    }

    @Test func signsRevokesAndWithdraws() async throws {
        let server = try await Server()
        let signed = try await ctl(server, ["tokens", "sign", #"{"sub": "mallory"}"#, "--type", "JWT"])
        #expect(signed.output.split(separator: ".").count == 3)
        let tokens = try await ctl(
            server, ["sessions", "create", "alice", "web", "--scope", "openid offline_access", "--json"]
        ).object()
        let directory = try TemporaryDirectory()
        for name in ["access_token", "refresh_token"] {
            let token = try #require(tokens[name] as? String)
            let file = directory.path(name)
            try token.write(toFile: file, atomically: true, encoding: .utf8)
            let revoked = try await ctl(server, ["tokens", "revoke", file])
            #expect(revoked.output.contains(name) && !revoked.output.contains(token))
            let again = try await ctl(server, ["tokens", "revoke", file])
            #expect(again.exitCode == 1 && again.errors.contains("no token of this provider"))
            #expect(!again.errors.contains(token))
        }
        let keys = try await ctl(server, ["keys", "list", "--json"]).object()["keys"] as? [[String: Any]]
        let kid = try #require(keys?.first?["kid"] as? String)
        let left = try await ctl(server, ["keys", "withdraw", "--", kid])
        #expect(left.exitCode == 0 && left.output.contains("active") && !left.output.contains(kid))
        #expect(try await ctl(server, ["keys", "withdraw", "--", kid]).exitCode == 1)
        #expect(await server.stop() == 0)
    }

    /// A key that was withdrawn does not come back from where keys are kept.
    @Test func aWithdrawnKeyIsGoneForGood() async throws {
        let directory = try TemporaryDirectory()
        let arguments = ["--keys", directory.path("keys")]
        let server = try await Server(arguments)
        let kid = try #require(
            (try await ctl(server, ["keys", "list", "--json"]).object()["keys"] as? [[String: Any]])?.first?["kid"]
                as? String)
        let left =
            try await ctl(server, ["keys", "withdraw", "--json", "--", kid]).object()["keys"] as? [[String: Any]]
        let heir = try #require(left?.first?["kid"] as? String)
        #expect(try await server.curl("/jwks.json").body.contains(heir))
        #expect(await server.stop() == 0)
        let again = try await Server(arguments)
        let published = try await again.curl("/jwks.json").body
        #expect(published.contains(heir) && !published.contains(kid))
        #expect(await again.stop() == 0)
    }

    @Test func setsFaultsAndBarriers() async throws {
        let server = try await Server()
        let fault = try await ctl(
            server,
            ["faults", "add", "status", "--status", "500", "--endpoint", "token", "--client", "service", "--json"])
        #expect(try fault.object()["fired"] as? Int == 0)
        #expect(
            try await server.curl("/token", ["-u", "service:secret", "-d", "grant_type=client_credentials"]).status
                == 500)
        #expect(try await ctl(server, ["faults", "list"]).output.contains("service"))
        #expect(try await ctl(server, ["faults", "clear"]).exitCode == 0)
        let barrier = try await ctl(
            server, ["barriers", "add", "refresh.received", "--order", "label", "--sequence", "A,B", "--json"])
        #expect(try barrier.object()["sequence"] as? [String] == ["A", "B"])
        // Who waits for what does not come is told so by the status too.
        let empty = try await ctl(server, ["barriers", "show", "1", "--wait", "1ms", "--held", "1", "--json"])
        #expect(try empty.object()["state"] as? String == "gathering")
        #expect(empty.exitCode == 1 && empty.errors.contains("0 came, of 1"))
        #expect(try await ctl(server, ["barriers", "show", "1", "--wait", "1ms"]).exitCode == 1)
        #expect(try await ctl(server, ["barriers", "show", "1"]).exitCode == 0)
        let none = try await ctl(server, ["requests", "list", "--path", "/never", "--wait", "1ms", "--json"])
        #expect(none.exitCode == 1 && none.errors.contains("nothing came"))
        #expect(try none.object()["requests"] as? [String] == [])
        #expect(try await ctl(server, ["requests", "list", "--path", "/never"]).exitCode == 0)
        _ = try await ctl(
            server, ["barriers", "add", "request.received", "--endpoint", "jwks", "--timeout", "1ms"])
        #expect(try await server.curl("/jwks.json").status == 200)
        #expect(try await ctl(server, ["barriers", "show", "2", "--wait", "20s"]).errors.contains("timed out"))
        #expect(try await ctl(server, ["barriers", "remove", "1"]).exitCode == 0)
        let marked = try await ctl(
            server, ["faults", "add", "drop", "--header", "X-Test=a=b", "--header", "X-Other=c", "--json"])
        #expect(try marked.object()["headers"] as? [String: String] == ["X-Test": "a=b", "X-Other": "c"])
        #expect(try await ctl(server, ["faults", "add", "drop", "--header", "X-Test"]).exitCode == 2)
        _ = try await ctl(server, ["events"])
        _ = try await server.curl("/token", ["-u", "service:secret", "-d", "grant_type=client_credentials"])
        #expect(try await ctl(server, ["events", "--kind", "tokens"]).output.contains("tokens.issued"))
        let requests = try await ctl(server, ["requests", "list", "--path", "/token"]).output
        #expect(requests.contains("client_credentials") && requests.contains("curl/"))
        let headings = ["CLIENT ID", "FAMILIES", "LOGINS", "REFRESH NODE", "REFRESH VERDICT", "USER AGENT"]
        #expect(headings.allSatisfy { requests.split(separator: "\n").first?.contains($0) == true }, "\(requests)")
        let refreshes = ["requests", "list", "--grant-type", "refresh_token", "--status", "200", "--json"]
        #expect(try await ctl(server, refreshes).object()["requests"] as? [String] == [])
        #expect(await server.stop() == 0)
    }

    @Test func findsTheRequestThatSignedAUserOut() async throws {
        let server = try await Server(["--auto-login"])
        let browser = try CurlBrowser(server)
        let redirect = "http://127.0.0.1/callback"
        let query = "client_id=service&response_type=code&scope=openid&redirect_uri=\(redirect)"
        let code = try #require(try await browser.open("/authorize?" + query).parameter("code"))
        let form = ["-d", "grant_type=authorization_code", "-d", "code=\(code)", "-d", "redirect_uri=\(redirect)"]
        let tokens = try await server.curl("/token", ["-u", "service:secret"] + form).object()
        let logins = try await ctl(server, ["sessions", "logins", "--json"]).object()["logins"] as? [[String: Any]]
        let list = ["requests", "list", "--login", try #require(logins?.first?["id"] as? String), "--json"]
        #expect(try await ctl(server, list).object()["requests"] as? [String] == [])
        let hint = try #require(tokens["id_token"] as? String)
        #expect(try await browser.open("/logout?id_token_hint=\(hint)").status == 200)
        let found = try await ctl(server, list).object()["requests"] as? [[String: Any]]
        #expect(found?.map { $0["path"] as? String } == ["/logout"])
        #expect(await server.stop() == 0)
    }

    /// A browser's name fills two lines of a terminal, and says little.
    @Test func showsTheBeginningOfALongUserAgent() async throws {
        let server = try await Server()
        let (fits, long) = (String(repeating: "a", count: 40), String(repeating: "b", count: 41))
        for agent in [fits, long] { _ = try await server.curl("/jwks.json", ["-A", agent]) }
        let list = ["requests", "list", "--path", "/jwks.json"]
        let table = try await ctl(server, list).output
        #expect(table.contains(fits) && table.contains(long.prefix(39) + "…") && !table.contains(long.prefix(40)))
        #expect(try await ctl(server, list + ["--json"]).output.contains(long))
        #expect(await server.stop() == 0)
    }

    @Test(
        arguments: [
            (["faults", "add", "dropp"], "did you mean drop?"), (["faults", "remove", "9"], "no such fault"),
            (["barriers", "add", "refresh.juged"], "did you mean refresh.judged?"),
            (["events", "--kind", "refresh.juged"], "did you mean refresh.judged?"),
            (["families", "show", "x"], "no family"), (["keys", "withdraw", "x"], "no such key"),
            (["tokens", "sign", "{}", "--alg", "none"], "alg"), (["requests", "list", "--verdict", "lost"], "verdict"),
            (["events", "--follow", "--kind", "refresh.juged"], "did you mean refresh.judged?"),
            (["clock", "set", "soon"], "now"),
        ] as [([String], String)])
    func saysWhatTheServerRefusesAndWhy(_ arguments: [String], _ expected: String) async throws {
        let server = try await Server()
        let result = try await ctl(server, arguments)
        #expect(result.exitCode == 1)
        #expect(result.errors.contains(expected), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    @Test(arguments: ["localhost:8080", "ftp://localhost", "http://", "http://localhost:0", "http://a@localhost"])
    func refusesAURLThatIsNone(_ url: String) async throws {
        let result = try await Pawl.run("ctl", "clock", "show", "--url", url)
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("--url"))
    }

    @Test func saysThatNobodyIsThere() async throws {
        let server = try await Server()
        _ = await server.stop()
        let result = try await ctl(server, ["clock", "show"])
        #expect(result.exitCode == 4)
        #expect(result.errors.contains("PAWL_URL"))
    }

    @Test func presentsTheSecretAndNeverShowsIt() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("secret")
        try "a-secret-of-the-tests\n".write(toFile: file, atomically: true, encoding: .utf8)
        let server = try await Server(["--control-secret-file", file])
        let without = try await ctl(server, ["clock", "show"])
        #expect(without.exitCode == 1 && without.errors.contains("PAWL_CONTROL_SECRET"))
        #expect(try await ctl(server, ["clock", "show", "--control-secret-file", file]).exitCode == 0)
        let byVariable = try await ctl(
            server, ["clock", "show"], environment: ["PAWL_CONTROL_SECRET": "a-secret-of-the-tests"])
        #expect(byVariable.exitCode == 0)
        let wrong = try await ctl(server, ["clock", "show"], environment: ["PAWL_CONTROL_SECRET": "another-secret"])
        #expect(wrong.exitCode == 1)
        #expect(!wrong.errors.contains("another-secret"))
        #expect(await server.stop() == 0)
    }
}
