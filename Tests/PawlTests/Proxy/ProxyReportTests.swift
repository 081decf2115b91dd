import Foundation
import TestSupport
import Testing

/// What `pawl proxy` says to whoever has started it.
@Suite struct ProxyReportTests {
    /// The lines up to the last of those that are always there.
    private func report(_ arguments: [String], environment: [String: String] = [:]) async throws -> [String] {
        let process = try RunningProcess(
            Pawl.executable,
            ["proxy", "--upstream", "http://127.0.0.1:9/base", "--issuer", "http://127.0.0.1:9", "--client-id", "app"]
                + arguments, environment: ProcessRunner.environment.merging(environment) { $1 })
        let last = await process.output.first { $0.hasPrefix("  curl ") }
        _ = try #require(last, "\(process.errors.text)")
        process.send(SIGTERM)
        #expect(await process.waitForExit() == 0)
        return process.output.lines
    }

    @Test func saysWhereItIsAndHowToTryIt() async throws {
        let lines = try await report(["--port", "0"])
        let origin = try #require(lines.first { $0.hasPrefix("Public   ") }).dropFirst("Public   ".count)
        let port = try #require(origin.split(separator: ":").last)
        #expect(origin == "http://127.0.0.1:\(port)" && port != "0")
        #expect(lines[0].hasPrefix("pawl proxy ") && lines[0].hasSuffix(" is ready."))
        #expect(
            Array(lines.dropFirst()) == [
                "", "  \(origin)", "", "Public   \(origin)", "Upstream http://127.0.0.1:9/base",
                "Issuer   http://127.0.0.1:9",
                "Client   app, which the provider sends back to \(origin)/_session/callback",
                "Cookie   pawl_session_\(port)", "", "Try", "  # a page, after a sign-in", "  \(origin)/",
                "  # who is signed in", "  curl \(origin)/_session",
            ])
    }

    @Test func saysWhatBrowsersSeeAndNotWhereItListens() async throws {
        let lines = try await report([
            "--port", "0", "--public-url", "https://app.example", "--session-path", "/own", "--callback-path", "/back",
            "--cookie-name", "mine",
        ])
        #expect(lines.contains("Public   https://app.example") && lines.contains("Cookie   __Host-mine"))
        #expect(lines.contains("Client   app, which the provider sends back to https://app.example/back"))
        #expect(lines.contains("  curl https://app.example/own"))
        #expect(lines.count { $0.contains("127.0.0.1:") } == 3, "\(lines)")
    }

    /// Who is to trust a certificate of ours has to know how.
    @Test func saysHowToTrustItsAuthority() async throws {
        let directory = try TemporaryDirectory()
        let encrypted = ["--no-http", "--tls-listen", "127.0.0.1:0", "--tls-dir", directory.path("tls")]
        #expect(try await report(encrypted).contains { $0.contains(directory.path("tls")) })
    }

    @Test func showsNoSecret() async throws {
        let lines = try await report(
            ["--port", "0"], environment: ["PAWL_PROXY_CLIENT_SECRET": "swordfish-swordfish-1"])
        #expect(!lines.joined().contains("swordfish"))
    }
}
