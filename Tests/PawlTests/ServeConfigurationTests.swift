import Foundation
import TestSupport
import Testing

/// `pawl serve` with a configuration file, options and variables.
@Suite struct ServeConfigurationTests {
    private func write(_ text: String, in directory: TemporaryDirectory, as name: String = "config.json") throws
        -> String
    {
        try Data(text.utf8).write(to: URL(filePath: directory.path(name)))
        return directory.path(name)
    }

    private func expiry(_ server: Server, _ credentials: String, _ path: String = "/token") async throws -> Int? {
        let answer = try await server.curl(path, ["-u", credentials, "-d", "grant_type=client_credentials"])
        return answer.status == 200 ? try answer.object()["expires_in"] as? Int : nil
    }

    /// What docs/configuration.md begins with.
    @Test func runsWithTheFirstExample() async throws {
        let server = try await Server(["--config", Repository.fixture("configurations/first.json").path()])
        let answer = try await server.curl(
            "/token", ["-u", "backend:a-secret-for-the-backend", "-d", "grant_type=client_credentials"])
        #expect(answer.status == 200, "\(answer.body)")
        #expect(try answer.object()["expires_in"] as? Int == 60)
        let token = try #require(try answer.object()["access_token"] as? String)
        let inspected = try await Pawl.run("token", "inspect", "-", "--json", input: token).object()
        #expect((inspected["header"] as? [String: Any])?["alg"] as? String == "ES256")
        let claims = inspected["claims"] as? [String: Any]
        #expect(claims?["role"] as? String == "machine")
        #expect(claims?["aud"] as? String == "https://api.example")
        #expect(claims?["scope"] as? String == "read")
        #expect(try await expiry(server, "service:secret") == nil)
        #expect(await server.stop() == 0)
    }

    /// docs/configuration.md shows that file as it is.
    @Test func theDocumentationShowsTheFirstExample() throws {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/configuration.md"), encoding: .utf8)
        let example = try String(contentsOf: Repository.fixture("configurations/first.json"), encoding: .utf8)
        #expect(
            page.contains(
                "```json\n" + example.replacing(#"../../docs/config.schema.json"#, with: "config.schema.json") + "```"))
    }

    @Test func optionsCountMoreThanVariablesAndTheseMoreThanTheFile() async throws {
        let directory = try TemporaryDirectory()
        let file = try write(#"{"access_tokens":{"lifetime":"10s","alg":"ES256"}}"#, in: directory)
        let cases: [(arguments: [String], environment: [String: String], seconds: Int)] = [
            ([], [:], 300), (["--config", file], [:], 10), ([], ["PAWL_CONFIG": file], 10),
            (["--config", file], ["PAWL_TOKEN_LIFETIME": "20s"], 20),
            (["--config", file, "--token-lifetime", "30s"], ["PAWL_TOKEN_LIFETIME": "20s"], 30),
            (["--set", "access_tokens.lifetime=40s"], [:], 40),
            (["--config", file, "--set=access_tokens.lifetime=40s"], ["PAWL_SET": "access_tokens.lifetime=41s"], 40),
            (["--config", file], ["PAWL_SET": "access_tokens.lifetime=41s id_tokens.lifetime=1s"], 41),
            (["--config", file, "--set=access_tokens.lifetime=42s", "--set=access_tokens={}"], [:], 300),
            (["--set", "access_tokens.lifetime=40s", "--token-lifetime", "30s"], [:], 30),
            (["--set", "access_tokens.lifetime=40s"], ["PAWL_TOKEN_LIFETIME": "20s"], 20),
        ]
        for (arguments, environment, seconds) in cases {
            let server = try await Server(arguments, environment: environment)
            #expect(try await expiry(server, "service:secret") == seconds, "\(arguments) \(environment)")
            #expect(await server.stop() == 0)
        }
    }

    /// What has no option of its own can be said all the same, and what the file says besides stays.
    @Test func takesEachMemberByItself() async throws {
        let directory = try TemporaryDirectory()
        let file = try write(#"{"access_tokens":{"lifetime":"10s"},"tenants":{"a":{}}}"#, in: directory)
        let secret = #"{"env":"OWN_SECRET"}"#
        let client = #"[{"client_id":"own","client_secret":\#(secret),"grant_types":["client_credentials"]}]"#
        let server = try await Server(
            [
                "--config", file, "--set", "access_tokens.format=opaque", "--set", "clients=" + client,
                "--set", "tenants.b.access_tokens.lifetime=7s",
            ], environment: ["OWN_SECRET": "from-a-variable"])
        let answer = try await server.curl(
            "/token", ["-u", "own:from-a-variable", "-d", "grant_type=client_credentials"]
        ).object()
        #expect(answer["expires_in"] as? Int == 10)
        #expect((answer["access_token"] as? String)?.hasPrefix("at1.") == true)
        #expect(try await expiry(server, "own:" + String(repeating: "x", count: 64)) == nil)
        #expect(try await expiry(server, "own:from-a-variable", "/t/a/token") == 10)
        #expect(try await expiry(server, "own:from-a-variable", "/t/b/token") == 7)
        #expect(await server.stop() == 0)
        // And without a file.
        let plain = try await Server(["--set", "clients=" + client], environment: ["OWN_SECRET": "from-a-variable"])
        #expect(try await expiry(plain, "own:from-a-variable") == 300)
        #expect(try await expiry(plain, "own:" + String(repeating: "x", count: 64)) == nil)
        #expect(await plain.stop() == 0)
    }

    @Test(arguments: [
        ("access_tokens", "must be the name of a member and its value"), ("=1", "must be the name of a member"),
        (String(repeating: "a.", count: 60_000) + "a=1", "must be the name of a member"),
        ("access_tokens..lifetime=1s", "must be the name of a member"), (".=1", "must be the name of a member"),
        ("acess_tokens={}", "--set: acess_tokens: there is no such member; did you mean access_tokens?"),
        ("access_tokens.format=paper", "--set: access_tokens.format: "), ("access_tokens=1", "--set: access_tokens: "),
        (#"users={"username":"u"}"#, "--set: users: "), ("pairwise_salt=5", "--set: pairwise_salt: "),
        (#"clients=[{"client_id":"c","client_secret":{"env":"NO_SUCH_NAME"}}]"#, "NO_SUCH_NAME is not set"),
    ])
    func refusesAMemberThatIsWrong(setting: String, says: String) async throws {
        let result = try await Pawl.run("serve", "--port", "0", "--set", setting)
        #expect(result.exitCode == 2, "\(result.errors)")
        #expect(result.errors.contains(says), "\(result.errors)")
        #expect(result.output.isEmpty)
    }

    /// White space parts the settings of a variable, so that a piece of a value may stand where a name is looked for.
    @Test func repeatsNothingOfAValueWhereANameIsLookedFor() async throws {
        let value = #"clients=[{"client_id":"a", "client_secret":"swordfish=="}]"#
        let result = try await Pawl.run(
            ["serve", "--port", "0"], environment: ProcessRunner.environment.merging(["PAWL_SET": value]) { $1 })
        let whole = try await Pawl.run("serve", "--port", "0", "--set", #"{"pairwise_salt":"swordfish=="}"#)
        for result in [result, whole] {
            #expect(result.exitCode == 2)
            #expect(result.errors.contains("must be the name of a member"), "\(result.errors)")
            #expect(!result.errors.contains("swordfish"))
        }
    }

    /// A file that is wrong by itself is told with its line, whatever is set beside it.
    @Test func tellsWhatIsWrongWithTheFileFirst() async throws {
        let directory = try TemporaryDirectory()
        let file = try write(#"{"access_tokens":{"lifetime":"never"}}"#, in: directory)
        let result = try await Pawl.run(
            "serve", "--port", "0", "--config", file, "--set", "access_tokens.lifetime=1s")
        #expect(result.exitCode == 3)
        #expect(result.errors.contains("config.json:1:30: access_tokens.lifetime"))
    }

    /// A Service of the name `pawl` puts its own address into every pod beside it.
    @Test func takesWhatKubernetesSaysOfAServiceForNothingOfItsOwn() async throws {
        let server = try await Server(environment: ["PAWL_PORT": "tcp://10.0.0.11:8080"])
        #expect(try await expiry(server, "service:secret") == 300)
        #expect(await server.stop() == 0)
        let result = try await Pawl.run(
            ["serve", "--config", "/no/such/file"],
            environment: ProcessRunner.environment.merging(["PAWL_PORT": "tcp://10.0.0.11:8080"]) { $1 })
        #expect(result.exitCode == 3, "\(result.errors)")
        let other = try await Pawl.run(
            ["serve", "--port", "0"],
            environment: ProcessRunner.environment.merging(["PAWL_ISSUER": "tcp://10.0.0.11:8080"]) { $1 })
        #expect(other.exitCode == 2 && other.errors.contains("PAWL_ISSUER"), "\(other.errors)")
    }

    @Test func servesTheTenantsOfTheFile() async throws {
        let server = try await Server(["--config", Repository.fixture("configurations/tenants.json").path()])
        #expect(try await expiry(server, "service:secret") == 600)
        #expect(try await expiry(server, "service:secret", "/t/short/token") == 1)
        #expect(try await expiry(server, "only:only-secret", "/t/strict/token") == 600)
        #expect(try await expiry(server, "service:secret", "/t/strict/token") == nil)
        #expect(try await expiry(server, "nobody:anything", "/t/easy/token") == 600)
        #expect(try await expiry(server, "service:secret", "/t/unnamed/token") == 600)
        #expect(await server.stop() == 0)
    }

    @Test func clientsOfOptionsJoinThoseOfTheFile() async throws {
        let directory = try TemporaryDirectory()
        let file = try write(
            """
            {"clients":[{"client_id":"a","client_secret":"old","grant_types":["client_credentials"]},
                        {"client_id":"b","client_secret":"b","grant_types":["client_credentials"]}]}
            """, in: directory)
        let server = try await Server(["--config", file, "--client", "a:new", "--client", "c:c"])
        for (credentials, isThere) in [
            ("a:new", true), ("a:old", false), ("b:b", true), ("c:c", true), ("service:secret", false),
        ] {
            let seconds = try await expiry(server, credentials)
            #expect(seconds == (isThere ? 300 : nil), "\(credentials)")
        }
        #expect(await server.stop() == 0)
    }

    @Test func readsTheFileAgainWhenTold() async throws {
        let directory = try TemporaryDirectory()
        func text(_ id: String, _ lifetime: String) -> String {
            """
            {"access_tokens":{"lifetime":"\(lifetime)"},"tenants":{"t":{}},
             "clients":[{"client_id":"\(id)","client_secret":"x","grant_types":["client_credentials"]}]}
            """
        }
        let file = try write(text("a", "10s"), in: directory)
        let server = try await Server(["--config", file, "--set=tenants.u.access_tokens.lifetime=3s"], in: directory)
        #expect(try await expiry(server, "a:x") == 10)
        #expect(try await expiry(server, "a:x", "/t/t/token") == 10)

        _ = try write(text("b", "20s"), in: directory)
        server.process.send(SIGHUP)
        #expect(await server.process.errors.first { $0.contains("configuration read again") } != nil)
        #expect(try await expiry(server, "a:x") == nil)
        #expect(try await expiry(server, "b:x") == 20)
        #expect(try await expiry(server, "b:x", "/t/t/token") == 20)
        // What an option sets stays over it.
        #expect(try await expiry(server, "b:x", "/t/u/token") == 3)
        // And a reset goes back to that.
        for tenant in ["", "/t/t"] {
            #expect(try await server.curl("\(tenant)/_pawl/reset", ["-X", "POST"]).status == 204)
            #expect(try await expiry(server, "b:x", tenant + "/token") == 20)
            #expect(try await expiry(server, "a:x", tenant + "/token") == nil)
        }

        _ = try write(#"{"access_tokens":{"lifetime":"never"}}"#, in: directory)
        server.process.send(SIGHUP)
        let line = await server.process.errors.first { $0.contains("the configuration stays as it was") }
        #expect(line?.contains("config.json:1:30: access_tokens.lifetime") == true)
        #expect(try await expiry(server, "b:x") == 20)

        _ = try write(#"{"issuer":"https://other.example"}"#, in: directory)
        server.process.send(SIGHUP)
        #expect(await server.process.errors.first { $0.contains("after the next start only") } != nil)
        #expect(try await expiry(server, "service:secret") == 300)
        #expect(await server.stop() == 0)
    }

    @Test(arguments: [
        (["--config", "/no/such/file"], 3 as Int32, "/no/such/file"),
        (["--rotation", "never"], 2, "there are: strict, reuse, okta"),
        (["--allow-legacy", "all"], 2, "one of password"),
        (["--port", "70000"], 2, "0 to 65535"), (["--port", "0", "--listen", "127.0.0.1:0"], 2, "--port is short for"),
        (["--id-token-lifetime", "1500ms"], 2, "whole seconds"), (["--user", ":x"], 2, "NAME:PASSWORD"),
        (["--user", "a:"], 2, "NAME:PASSWORD"), (["--public-client", "a:nonsense"], 2, "ID:REDIRECT-URI"),
        (["--public-client", "a", "--client", "a:b"], 3, "client a is there twice"),
        (["--control-secret-file", "/no/such/file"], 3, "/no/such/file"),
        (["--registration", "closed"], 2, "one of open, off"),
        (["--registration-token-file", "/no/such/file"], 3, "/no/such/file"),
        (["--registration", "off", "--registration-token-file", "/no/such/file"], 2, "contradict"),
    ])
    func refusesToStart(arguments: [String], exitCode: Int32, says: String) async throws {
        let result = try await Pawl.run(["serve"] + arguments)
        #expect(result.exitCode == exitCode, "\(result.errors)")
        #expect(result.errors.contains(says), "\(result.errors)")
    }

    @Test func refusesToStartWithAFileThatIsWrongAndSaysWhere() async throws {
        let directory = try TemporaryDirectory()
        let file = try write("{\n  \"acess_tokens\": {}\n}", in: directory)
        let result = try await Pawl.run("serve", "--port", "0", "--config", file)
        #expect(result.exitCode == 3)
        #expect(result.output.isEmpty)
        #expect(result.errors == "\(file):2:3: acess_tokens: there is no such member; did you mean access_tokens?\n")
    }

    @Test func doesNotRepeatAPasswordThatIsMalformed() async throws {
        let result = try await Pawl.run("serve", "--user", ":correcthorse")
        #expect(!result.errors.contains("correcthorse"))
    }

    @Test func takesClientsAsTheyComeWhenTold() async throws {
        let server = try await Server(["--any-client"])
        #expect(try await expiry(server, "whoever:whatever") == 300)
        #expect(await server.process.errors.first { $0.contains("any client is taken as it comes") } != nil)
        #expect(await server.stop() == 0)
        let strict = try await Server()
        #expect(try await expiry(strict, "whoever:whatever") == nil)
        #expect(await strict.stop() == 0)
        #expect(!strict.process.errors.text.contains(#""level":"warning""#))
    }

    @Test func signsIDTokensWithAnAlgorithmOfTheirOwn() async throws {
        let server = try await Server(["--id-token-alg", "EdDSA"])
        #expect(try await server.keyIDs().count == 2)
        #expect(await server.stop() == 0)
    }

    /// Old grants have to be asked for by name, unless it is the standard client that has them.
    @Test(arguments: [
        (["--client", "own:secret"], false), (["--client", "service:other"], false),
        (["--client", "own:secret", "--allow-legacy", "password"], true), ([], true),
    ])
    func aClientOfOnesOwnBringsNoOldGrants(arguments: [String], hasPassword: Bool) async throws {
        let server = try await Server(arguments)
        let metadata = try await server.curl("/.well-known/openid-configuration").object()
        let grants = try #require(metadata["grant_types_supported"] as? [String])
        #expect(grants.contains("client_credentials"))
        #expect(grants.contains("password") == hasPassword)
        #expect(grants.contains("implicit") == arguments.isEmpty)
        #expect((metadata["response_types_supported"] as? [String] == ["code"]) != arguments.isEmpty)
        #expect(await server.stop() == 0)
    }
}
