import Foundation
import TestSupport
import Testing

/// The listeners that ask for a client certificate (RFC 8705).
@Suite struct MutualTLSTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    /// A certificate that signs itself: its path, and that of its key.
    private func certificate(_ name: String) async throws -> (String, String) {
        let openssl = try #require(ProcessRunner.find("openssl"))
        let (certificate, key) = (directory.path(name + ".cert"), directory.path(name + ".key"))
        let result = try await ProcessRunner.run(
            openssl,
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                "/CN=\(name)", "-addext", "subjectAltName=DNS:localhost", "-out", certificate, "-keyout", key,
            ])
        #expect(result.exitCode == 0, "\(result.errors)")
        return (certificate, key)
    }

    /// What `openssl s_client` says of a server.
    private func handshake(_ url: String) async throws -> String {
        let openssl = try #require(ProcessRunner.find("openssl"))
        let address = url.replacing("https://", with: "")
        return try await ProcessRunner.run(openssl, ["s_client", "-connect", address]).output
    }

    private let asked = "Requested Signature Algorithms"

    @Test func areApartFromTheOthersAndComeLast() async throws {
        let server = try await Server(
            [
                "--listen", "127.0.0.1:0", "--mtls-listen", "127.0.0.1:0", "--mtls-listen", "[::1]:0", "--tls-listen",
                "127.0.0.1:0", "--tls-dir", directory.path("tls"), "--port-file", directory.path("ports"),
            ], in: directory)
        #expect(server.addresses.map(\.isEncrypted) == [false, true, true, true])
        #expect(server.addresses.map(\.asksForCertificate) == [false, false, true, true])
        let ports = try String(contentsOf: URL(filePath: directory.path("ports")), encoding: .utf8)
        #expect(ports == server.addresses.compactMap(\.port).map { "\($0)\n" }.joined())
        #expect(try await !handshake(server.addresses[1].url).contains(asked))
        #expect(try await handshake(server.addresses[2].url).contains(asked))

        // With a certificate that nobody vouches for, and without one.
        let (certificate, key) = try await certificate("client")
        let url = "https://localhost:\(try #require(server.addresses[2].port))"
        for options in [[], ["--cert", certificate, "--key", key]] {
            let answer = try await server.curl(
                "/health", ["--ipv4", "--cacert", directory.path("tls/ca.pem")] + options, url: url)
            #expect(answer.status == 200, "\(answer.errors)")
        }
        #expect(await server.stop() == 0)
    }

    /// RFC 8705 section 5: the endpoints have other addresses there, and the provider has no other name.
    @Test(arguments: [true, false])
    func giveTokensByTheIssuerOfTheOrdinaryPort(hasTLS: Bool) async throws {
        let server = try await Server(
            ["--listen", "127.0.0.1:0", "--mtls-listen", "127.0.0.1:0", "--tls-dir", directory.path("tls")]
                + (hasTLS ? ["--tls-listen", "127.0.0.1:0"] : []), in: directory)
        let port = try #require(server.addresses[hasTLS ? 1 : 0].port)
        let trust = ["--ipv4", "--cacert", directory.path("tls/ca.pem")]
        let issuer = (hasTLS ? "https" : "http") + "://localhost:\(port)"
        let document = try await server.curl("/.well-known/openid-configuration", trust, url: issuer).object()
        #expect(document["issuer"] as? String == issuer)
        let aliases = try #require(document["mtls_endpoint_aliases"] as? [String: String])
        let alias = try #require(aliases["token_endpoint"])
        #expect(alias.hasPrefix("https://localhost:\(try #require(server.addresses.last?.port))/"))

        let (certificate, key) = try await certificate("client")
        let token = try await server.token(
            trust + ["--cert", certificate, "--key", key], url: String(alias.dropLast("/token".count)))
        let claims = try await Pawl.run("token", "inspect", "--json", token).object()["claims"] as? [String: Any]
        #expect(claims?["iss"] as? String == issuer)
        // Beside HTTPS, plain HTTP is another issuer, whose tokens nobody gets there.
        if hasTLS {
            let clear = "http://localhost:\(try #require(server.addresses[0].port))"
            let other = try await server.curl("/.well-known/openid-configuration", ["--ipv4"], url: clear).object()
            #expect(other["issuer"] as? String == clear)
            #expect(other["mtls_endpoint_aliases"] == nil)
        }
        #expect(await server.stop() == 0)
    }

    @Test func needNoOtherListenerForHTTPS() async throws {
        let server = try await Server(
            ["--no-http", "--mtls-listen", "127.0.0.1:0", "--tls-dir", directory.path("tls")], in: directory)
        #expect(server.addresses.map(\.asksForCertificate) == [true])
        #expect(await server.stop() == 0)
    }

    @Test func areSaidToBeWhatTheyAre() async throws {
        let process = try RunningProcess(
            Pawl.executable,
            ["serve", "--no-http", "--mtls-listen", "127.0.0.1:0", "--tls-dir", directory.path("tls")],
            environment: ProcessRunner.environment)
        let line = await process.output.first { $0.contains("asks for a client certificate") }
        #expect(line?.contains("https://127.0.0.1:") == true)
        #expect(await process.output.first { $0.contains("once, with curl:") } != nil)
        process.send(SIGTERM)
        #expect(await process.waitForExit() == 0)
    }

    @Test func readTheirFilesAgain() async throws {
        let (certificate, key) = try await certificate("server")
        let (authority, _) = try await self.certificate("authority")
        let server = try await Server(
            [
                "--no-http", "--mtls-listen", "127.0.0.1:0", "--mtls-ca", authority, "--tls-cert", certificate,
                "--tls-key",
                key,
            ], in: directory)
        let url = "https://localhost:\(try #require(server.addresses[0].port))"
        #expect(try await server.curl("/health", ["--cacert", certificate], url: url).status == 200)
        _ = try await self.certificate("server")
        server.process.send(SIGHUP)
        #expect(await server.process.errors.first { $0.contains("certificate read again") } != nil)
        #expect(try await server.curl("/health", ["--cacert", certificate], url: url).status == 200)
        // Authorities that are none leave all as it was.
        try Data("none".utf8).write(to: URL(filePath: authority))
        let before = try String(contentsOfFile: certificate, encoding: .utf8)
        _ = try await self.certificate("server")
        server.process.send(SIGHUP)
        let complaint = await server.process.errors.first { $0.contains("the certificate stays as it was") }
        #expect(complaint?.contains(authority) == true)
        try before.write(toFile: directory.path("before"), atomically: true, encoding: .utf8)
        #expect(try await server.curl("/health", ["--cacert", directory.path("before")], url: url).status == 200)
        #expect(await server.stop() == 0)
    }

    @Test func refuseAuthoritiesThatAreNone() async throws {
        let empty = directory.path("empty.pem")
        try Data("none".utf8).write(to: URL(filePath: empty))
        for file in [empty, directory.path("missing.pem")] {
            let result = try await Pawl.run(
                "serve", "--no-http", "--mtls-listen", "127.0.0.1:0", "--mtls-ca", file, "--tls-dir",
                directory.path("tls"))
            #expect(result.exitCode == 3, "\(result.errors)")
            #expect(result.errors.contains(file))
        }
    }

    @Test func authoritiesWithoutAListenerAreAMistake() async throws {
        let (authority, _) = try await certificate("authority")
        let result = try await Pawl.run("serve", "--listen", "127.0.0.1:0", "--mtls-ca", authority)
        #expect(result.exitCode == 2, "\(result.errors)")
        #expect(result.errors.contains("--mtls-listen"))
        let address = try await Pawl.run("serve", "--listen", "127.0.0.1:0", "--mtls-listen", "nowhere")
        #expect(address.exitCode == 2)
    }
}
