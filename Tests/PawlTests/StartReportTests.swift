import Foundation
import TestSupport
import Testing

@Suite struct StartReportTests {
    private func report(_ arguments: [String]) async throws -> [String: Any] {
        let process = try RunningProcess(
            Pawl.executable, ["serve", "--json", "--port", "0"] + arguments, environment: ProcessRunner.environment)
        let line = try #require(await process.output.first { $0.hasPrefix("{") }, "\(process.errors.text)")
        process.send(SIGTERM)
        #expect(await process.waitForExit() == 0)
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    private func list(_ report: [String: Any], _ member: String) -> [[String: Any]] {
        report[member] as? [[String: Any]] ?? []
    }

    @Test func namesUsersAndClientsWithTheSecretsThatEverybodyKnows() async throws {
        let report = try await report([])
        #expect(list(report, "users").map { $0["password"] as? String } == ["alice", "bob", "minji", "haruto"])
        #expect(list(report, "clients").map { $0["client_id"] as? String } == ["web", "native", "service"])
        #expect(list(report, "clients").map { $0["client_secret"] as? String } == [nil, nil, "secret"])
        #expect(list(report, "clients").map { $0["public"] as? Bool } == [true, true, false])
    }

    @Test func keepsSecretsThatSomebodyChose() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("config.json")
        try Data(
            """
            {"users":[{"username":"carol","password":"correct-horse"}],"legacy":["password"],
             "clients":[{"client_id":"service","client_secret":"battery-staple","grant_types":["client_credentials","password"]}],
             "tenants":{"one":{}}}
            """.utf8
        ).write(to: URL(filePath: file))
        let report = try await report(["--config", file])
        let text = String(decoding: try JSONSerialization.data(withJSONObject: report), as: UTF8.self)
        #expect(!text.contains("correct-horse"))
        #expect(!text.contains("battery-staple"))
        #expect(list(report, "users").count == 1)
        #expect(report["tenants"] as? [String] == ["one"])
        #expect(report["config"] as? String == file)
        let lines = list(report, "try").compactMap { $0["line"] as? String }
        #expect(lines.contains { $0.hasPrefix("curl -u service -d grant_type=client_credentials ") })
        #expect(lines.contains { $0.contains("username=carol&password=PASSWORD") })
    }

    /// A line that cannot work is worse than none.
    @Test func showsNoLineForAClientThatCurlAloneCannotBe() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("config.json")
        let secret = #""client_secret":"0123456789012345678901234567890123""#
        let password = #"\#(secret),"grant_types":["client_credentials","password"]"#
        let code = #""grant_types":["authorization_code","urn:ietf:params:oauth:grant-type:device_code"]"#
        let redirect = #""redirect_uris":["http://localhost/cb"]"#
        try Data(
            """
            {"legacy":["password"],"clients":[
              {"client_id":"signs","token_endpoint_auth_method":"client_secret_jwt",\(password)},
              {"client_id":"posts","token_endpoint_auth_method":"client_secret_post",\(password)},
              {"client_id":"proves","dpop_bound_access_tokens":true,\(password)},
              {"client_id":"plain","token_endpoint_auth_method":"client_secret_basic",\(password)},
              {"client_id":"app","dpop_bound_access_tokens":true,\(code),\(redirect)},
              {"client_id":"pushes","require_pushed_authorization_requests":true,\(code),\(redirect)},
              {"client_id":"encloses","require_signed_request_object":true,\(code),\(redirect)},
              {"client_id":"page",\(code),\(redirect)}
            ]}
            """.utf8
        ).write(to: URL(filePath: file))
        let lines = list(try await report(["--config", file]), "try").compactMap { $0["line"] as? String }
        for client in ["signs", "posts", "proves", "app"] {
            #expect(!lines.contains { $0.contains(client) }, "\(client): \(lines)")
        }
        for client in ["pushes", "encloses"] {
            #expect(!lines.contains { $0.contains("/authorize") && $0.contains(client) }, "\(client): \(lines)")
        }
        #expect(lines.filter { $0.contains("-u plain ") }.count == 5)
        #expect(lines.filter { $0.contains("client_id=page") }.count == 3)
    }

    @Test func saysWhereTheControlAPIIsBelowThePathOfTheIssuer() async throws {
        let process = try RunningProcess(
            Pawl.executable, ["serve", "--port", "0", "--issuer", "http://idp.example/base"],
            environment: ProcessRunner.environment)
        let line = await process.output.first { $0.hasPrefix("Control") }
        #expect(line == "Control  /base/_pawl, for programs on this machine; /base/openapi.json describes it")
        process.send(SIGTERM)
        #expect(await process.waitForExit() == 0)
    }

    /// RFC 7636 section 4.2: the challenge in the one line is that of the verifier in the other.
    @Test func givesAChallengeAndItsVerifier() async throws {
        let report = try await report(["--public-client", "app:http://localhost:3000/callback"])
        let trials = list(report, "try")
        let login = try #require(trials.first { $0["for"] as? String == "browser" }?["line"] as? String)
        let query = try #require(URLComponents(string: login)?.queryItems)
        func value(_ name: String) -> String? { query.first { $0.name == name }?.value }
        #expect(value("client_id") == "app")
        #expect(value("redirect_uri") == "http://localhost:3000/callback")
        #expect(value("response_type") == "code")
        #expect(value("code_challenge_method") == "S256")
        let redemption = try #require(
            trials.compactMap { $0["line"] as? String }.first { $0.contains("code_verifier=") })
        let verifier = try #require(
            redemption.split(separator: "code_verifier=").last?.prefix { $0 != "'" && $0 != "&" })
        #expect(verifier.count == 43)
        let openssl = try #require(ProcessRunner.find("openssl"))
        let digest = try await ProcessRunner.run(
            openssl, ["dgst", "-sha256", "-binary"], input: Data(String(verifier).utf8))
        let challenge = Data(digest.outputBytes).base64EncodedString().replacing("+", with: "-").replacing(
            "/", with: "_"
        )
        .replacing("=", with: "")
        #expect(value("code_challenge") == challenge)
        // Only the client that is there is shown.
        #expect(list(report, "clients").count == 1)
    }

    @Test func showsASessionInCookies() async throws {
        let lines = list(try await report([]), "try").compactMap { $0["line"] as? String }
        #expect(lines.contains { $0.hasPrefix("curl -c jar -d 'client_id=web&username=alice&password=alice' ") })
        #expect(lines.contains { $0.hasPrefix("curl -b jar -c jar -X POST ") && $0.hasSuffix("/session/refresh") })
        let without = list(try await report(["--public-client", "app:http://localhost:3000/callback"]), "try")
        #expect(!without.contains { ($0["line"] as? String)?.contains(" jar ") == true })
    }

    @Test func staysShortWithManyClients() async throws {
        let directory = try TemporaryDirectory()
        let file = directory.path("config.json")
        let clients = (0..<200).map {
            #"{"client_id":"c\#($0)","client_secret":"x","grant_types":["client_credentials"]}"#
        }
        try Data(#"{"clients":[\#(clients.joined(separator: ","))]}"#.utf8).write(to: URL(filePath: file))
        let process = try RunningProcess(
            Pawl.executable, ["serve", "--port", "0", "--config", file], environment: ProcessRunner.environment)
        let line = await process.output.first { $0.hasPrefix("Clients") }
        #expect(line?.hasSuffix("and 188 more") == true)
        #expect(await process.output.first { $0.contains("openid-configuration") } != nil)
        #expect(process.output.lines.filter { $0.contains("curl -u") }.count == 3)
        process.send(SIGTERM)
        #expect(await process.waitForExit() == 0)
    }
}
