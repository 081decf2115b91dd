import Foundation
import TestSupport

/// A proxy that a test has started as a user would, with what it says of itself.
final class ProxyServer: Sendable {
    let process: RunningProcess
    let publicURL: String
    let port: Int
    let cookie: String
    let authority: String?

    /// The redirect URI of a proxy on whatever port of this machine (RFC 8252 section 7.3).
    static let client = ["--public-client", "app:http://127.0.0.1/_session/callback"]

    init(_ arguments: [String], environment: [String: String] = [:]) async throws {
        let listens = ["--listen", "--port", "--no-http"].contains(where: arguments.contains)
        process = try RunningProcess(
            Pawl.executable, ["proxy", "--json"] + (listens ? [] : ["--port", "0"]) + arguments,
            environment: ProcessRunner.environment.merging(environment) { $1 })
        guard let line = await process.output.first(where: { $0.hasPrefix("{") }),
            let report = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
            let address = (report["addresses"] as? [[String: Any]])?.first, let port = address["port"] as? Int,
            let url = report["public_url"] as? String, let cookie = report["cookie"] as? String
        else { throw Server.NotStarted(errors: process.errors.text) }
        publicURL = url
        self.port = port
        self.cookie = cookie
        authority = report["tls_authority"] as? String
    }

    /// Between a provider and whatever is behind.
    convenience init(
        before upstream: String, signingInAt provider: Server, _ arguments: [String] = [],
        environment: [String: String] = [:]
    ) async throws {
        try await self.init(
            [
                "--upstream", upstream, "--issuer", provider.url, "--client-id", "app", "--log-level", "debug",
                "--access-log",
            ]
                + arguments, environment: environment)
    }

    /// Ends it in good order.
    func stop() async -> Int32 {
        process.send(SIGTERM)
        return await process.waitForExit()
    }
}
