import Foundation
import TestSupport
import Testing

@Suite struct ServeTests {
    @Test func answersOverEveryAddress() async throws {
        let directory = try TemporaryDirectory()
        let socket = directory.path("socket")
        let server = try await Server(
            [
                "--listen", "127.0.0.1:0", "--listen", "[::1]:0", "--listen", "unix:\(socket)", "--tls-listen",
                "127.0.0.1:0", "--tls-dir", directory.path("tls"), "--port-file", directory.path("ports"),
            ], in: directory)
        #expect(server.addresses.map(\.isEncrypted) == [false, false, false, true])
        let ports = try String(contentsOf: URL(filePath: directory.path("ports")), encoding: .utf8)
        #expect(ports == server.addresses.compactMap(\.port).map { "\($0)\n" }.joined())

        let encrypted = "https://localhost:\(try #require(server.addresses[3].port))"
        let authority = ["--cacert", directory.path("tls/ca.pem")]
        let ways: [(url: String, arguments: [String])] = [
            (server.addresses[0].url, []), (server.addresses[1].url, []),
            ("http://localhost", ["--unix-socket", socket]), (encrypted, authority),
        ]
        for (url, arguments) in ways {
            let answer = try await server.curl("/health", arguments, url: url)
            #expect(answer.status == 200, "\(url): \(answer.errors)")
            #expect(answer.body == #"{"status":"ok"}"#)
            let token = try await server.token(arguments, url: url)
            let keys = try await server.curl("/jwks.json", arguments, url: url).body
            let set = directory.path("set.json")
            try Data(keys.utf8).write(to: URL(filePath: set))
            let verified = try await Pawl.run(
                "token", "verify", "-", "--jwks", set, "--typ", "at+jwt", "--issuer", url, input: token)
            #expect(verified.exitCode == 0, "\(url): \(verified.errors)")
        }
        // Without the authority, nobody has a reason to trust the certificate.
        #expect(try await server.curl("/health", url: encrypted).exitCode != 0)
        #expect(await server.stop() == 0)
    }

    @Test(
        arguments: [
            ([], "http://localhost:3000", "http://localhost:3000"), ([], "https://app.example", nil),
            (["--cors-origin", "https://app.example"], "https://app.example", "https://app.example"),
            (["--cors-origin", "https://app.example"], "http://localhost:3000", nil),
            (
                ["--cors-origin", "https://a.example", "--cors-origin", "https://b.example"], "https://b.example",
                "https://b.example"
            ),
            (["--cors-origin", "any"], "https://app.example", "*"),
        ] as [([String], String, String?)])
    func letsPagesReadTokensAsItIsTold(arguments: [String], origin: String, allowed: String?) async throws {
        let server = try await Server(arguments)
        let answer = try await server.curl(
            "/token",
            [
                "--include", "-u", "service:secret", "-d", "grant_type=client_credentials", "-H", "Origin: \(origin)",
            ])
        #expect(answer.status == 200)
        let name = "access-control-allow-origin: "
        let line = answer.body.split(whereSeparator: \.isNewline).first { $0.lowercased().hasPrefix(name) }
        #expect(line.map { String($0.dropFirst(name.count)) } == allowed)
        #expect(await server.stop() == 0)
    }

    /// HTTP allows these names; tokens and documents are not issued under them.
    @Test func aHostThatIsNoIssuerIsRefusedAndTheServerGoesOn() async throws {
        let server = try await Server()
        for host in ["a%41", "localhost:", "a!b", "[::1]:"] {
            let answer = try await server.curl("/.well-known/openid-configuration", ["-H", "Host: \(host)"])
            #expect(answer.status == 400, "\(host)")
            #expect(try answer.object()["error"] as? String == "invalid_request")
        }
        #expect(try await server.curl("/jwks.json").status == 200)
        #expect(await server.stop() == 0)
    }

    @Test func saysHowToBeginAndHowToTrust() async throws {
        let directory = try TemporaryDirectory()
        let process = try RunningProcess(
            Pawl.executable,
            ["serve", "--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0", "--tls-dir", directory.path("tls")],
            environment: ProcessRunner.environment)
        let line = await process.output.first { $0.contains("curl -u service:secret") }
        #expect(line?.contains("grant_type=client_credentials http://127.0.0.1:") == true)
        let secure = await process.output.first { $0.contains("--cacert \(directory.path("tls/ca.pem")) https://") }
        #expect(secure?.hasSuffix("/.well-known/openid-configuration") == true)
        let trust = await process.output.first { $0.contains("once, with curl:") }
        #expect(trust?.contains("https://127.0.0.1:") == true)
        #expect(trust?.contains("PORT") == false)
        #expect(await process.output.first { $0.contains("in memory for this run") } != nil)
        // The line works as it stands.
        let shell = try #require(ProcessRunner.find("sh"))
        let result = try await ProcessRunner.run(shell, ["-c", try #require(line) + " --silent"])
        #expect(result.output.contains("access_token"))
        let metadata = try await ProcessRunner.run(shell, ["-c", try #require(secure) + " --silent"])
        #expect(metadata.output.contains("token_endpoint"))
        process.send(SIGTERM)
        #expect(await process.waitForExit() == 0)
    }

    @Test(arguments: KeysTests.algorithms)
    func issuesTokensOfEveryAlgorithm(algorithm: String) async throws {
        let server = try await Server(["--alg", algorithm])
        let token = try await server.token()
        let inspected = try await Pawl.run("token", "inspect", "-", "--json", input: token).object()
        #expect((inspected["header"] as? [String: Any])?["alg"] as? String == algorithm)
        #expect(try await server.keyIDs().count == 1)
        // Of a secret nothing is published.
        if !algorithm.hasPrefix("HS") {
            let set = server.directory.path("set.json")
            try await server.curl("/jwks.json").body.write(toFile: set, atomically: true, encoding: .utf8)
            let verified = try await Pawl.run("token", "verify", "-", "--jwks", set, input: token)
            #expect(verified.exitCode == 0, "\(verified.errors)")
        }
        #expect(await server.stop() == 0)
    }

    @Test func followsItsOptions() async throws {
        let server = try await Server([
            "--issuer", "https://id.example/tenant", "--audience", "api", "--token-lifetime", "90s", "--client",
            "a:b:read,write",
        ])
        let answer = try await server.curl("/tenant/token", ["-u", "a:b", "-d", "grant_type=client_credentials"])
        #expect(answer.status == 200, "\(answer.body)")
        #expect(try answer.object()["expires_in"] as? Int == 90)
        let token = try #require(try answer.object()["access_token"] as? String)
        let claims =
            try await Pawl.run("token", "inspect", "-", "--json", input: token).object()["claims"] as? [String: Any]
        #expect(claims?["iss"] as? String == "https://id.example/tenant")
        #expect(claims?["aud"] as? String == "api")
        #expect(claims?["scope"] as? String == "read write")
        // The client that is there by itself is there no more.
        let standard = try await server.curl(
            "/tenant/token", ["-u", "service:secret", "-d", "grant_type=client_credentials"])
        #expect(standard.status == 401)
        #expect(await server.stop() == 0)
    }

    @Test func takesClientsFromAFile() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("clients.json")
        try Data(
            #"[{"client_id":"a","client_secret":"b:c:d","scope":"read"},{"client_id":"x","client_secret":"y"}]"#.utf8
        )
        .write(to: URL(filePath: file))
        let server = try await Server(["--client-file", file], in: directory)
        for (credentials, status) in [("a:b:c:d", 200), ("x:y", 200), ("a:b", 401), ("service:secret", 401)] {
            let answer = try await server.curl("/token", ["-u", credentials, "-d", "grant_type=client_credentials"])
            #expect(answer.status == status, "\(credentials)")
        }
        #expect(await server.stop() == 0)
    }

    @Test(arguments: [
        "", "{}", "[]", "[1]", #"[{"client_id":"a"}]"#, #"[{"client_id":"a","client_secret":""}]"#,
        #"[{"client_id":"a","client_secret":"b","scopes":"x"}]"#,
        #"[{"client_id":"a","client_secret":"b","scope":"x  y"}]"#,
        #"[{"client_id":"a","client_secret":"b"},{"client_id":"a","client_secret":"c"}]"#,
    ])
    func refusesAClientFileThatIsNone(content: String) async throws {
        let directory = try TemporaryDirectory()
        try Data(content.utf8).write(to: URL(filePath: directory.path("clients.json")))
        let result = try await Pawl.run(
            "serve", "--listen", "127.0.0.1:0", "--client-file", directory.path("clients.json"))
        #expect(result.exitCode == 3, "\(result.errors)")
    }

    @Test func saysWhatIsInTheWay() async throws {
        let server = try await Server()
        let port = try #require(server.addresses[0].port)
        let taken = try await Pawl.run("serve", "--listen", "127.0.0.1:\(port)")
        #expect(taken.exitCode == 4)
        #expect(taken.errors.contains("127.0.0.1:\(port)"))
        #expect(taken.errors.contains("in use"))
        let foreign = try await Pawl.run("serve", "--listen", "192.0.2.1:1")
        #expect(foreign.exitCode == 4)
        let portFile = try await Pawl.run("serve", "--listen", "127.0.0.1:0", "--port-file", "/nonexistent/port")
        #expect(portFile.exitCode == 3)
        #expect(await server.stop() == 0)
    }

    @Test func refusesACertificateThatIsNone() async throws {
        let directory = try TemporaryDirectory()
        let key = directory.path("key.pem")
        #expect(try await Pawl.run("keys", "new", "--format", "pem", "-o", key).exitCode == 0)
        for certificate in [directory.path("missing"), key] {
            let result = try await Pawl.run(
                "serve", "--listen", "127.0.0.1:0", "--tls-cert", certificate, "--tls-key", key)
            #expect(result.exitCode == 3, "\(result.errors)")
            #expect(result.errors.contains(certificate))
        }
    }

    @Test(arguments: [
        ("/health", "GET", 200), ("/health", "HEAD", 200), ("/health?verbose", "GET", 200), ("/health", "POST", 405),
        ("/ready", "GET", 200), ("/ready", "DELETE", 405), ("/metrics", "POST", 405), ("/metric", "GET", 404),
        ("/healthy", "GET", 404), ("/health/", "GET", 404), ("/", "GET", 200),
    ])
    func answersThoseWhoRunIt(path: String, method: String, status: Int) async throws {
        let server = try await Server()
        let answer = try await server.curl(path, method == "HEAD" ? ["--head"] : ["--request", method])
        #expect(answer.status == status)
        #expect(await server.stop() == 0)
    }

    @Test func servesNoMetricsWhenToldSo() async throws {
        let server = try await Server(["--no-metrics"])
        #expect(try await server.curl("/metrics").status == 404)
        #expect(try await server.curl("/health").status == 200)
        #expect(await server.stop() == 0)
    }
}
