import Foundation
import TestSupport
import Testing

/// The flows, driven by clients that share nothing with us: Authlib, requests-oauthlib, and plain requests with other
/// people's JOSE, against the running binary.
@Suite(
    .enabled(
        if: OtherImplementations.isInstalled || OtherImplementations.isRequired, OtherImplementations.notInstalled))
struct OtherClientsTests {
    /// One server and one process for all scenarios: each has sessions of its own.
    @Test func everyScenarioSucceeds() async throws {
        let server = try await Server(algorithm: nil)
        let names = try await run(["--list"]).output.split(separator: "\n").map(String.init)
        #expect(names.count > 30)
        let result = try await run([server.url] + names)
        for name in names where !result.output.contains("\(name) ok\n") {
            Issue.record("\(name): \(report(on: name, in: result.output))")
        }
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(await server.stop() == 0)
    }

    /// A scenario that fails is seen to fail.
    @Test func aProviderThatIsNotThereFailsEveryScenario() async throws {
        let result = try await run(["http://127.0.0.1:1", "authlib.client_credentials"])
        #expect(result.exitCode == 1)
        #expect(result.output.contains("authlib.client_credentials FAILED"))
    }

    private func run(_ arguments: [String]) async throws -> ProcessRunner.Result {
        try await ProcessRunner.run(
            OtherImplementations.python, ["-m", "clients"] + arguments,
            environment: [
                "PYTHONPATH": OtherImplementations.folder.path(), "PYTHONDONTWRITEBYTECODE": "1",
            ])
    }

    private func report(on name: String, in output: String) -> String {
        guard let start = output.range(of: "\(name) FAILED\n") else { return "did not run" }
        return String(output[start.upperBound...].prefix(4000))
    }
}
