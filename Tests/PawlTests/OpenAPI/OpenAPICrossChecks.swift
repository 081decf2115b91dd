import Foundation
import TestSupport
import Testing

/// The OpenAPI document of the running binary, held by libraries of others to the specification and to real answers.
@Suite(.enabled(if: OpenAPICheck.isInstalled || OpenAPICheck.isRequired, OpenAPICheck.notInstalled))
struct OpenAPICrossChecks {
    @Test func theDocumentIsValidAndTheAnswersFitIt() async throws {
        let server = try await Server()
        let report = try await OpenAPICheck.run(server.url)
        #expect(report.problems == [])
        #expect(report.checked.count > 350)
        #expect(report.checked.filter { $0.hasSuffix(" 503") }.count > 8, "a store that fails is driven")
        for (status, count) in [(304, 3), (400, 80), (413, 40), (415, 30)] {
            let driven = report.checked.filter { $0.hasSuffix(" \(status)") }
            #expect(driven.count > count, "what holds of all operations of a kind is driven at each: \(status)")
        }
        #expect(report.undriven == [], "every operation is driven")
        #expect(await server.stop() == 0)
    }

    @Test func aTenantsDocumentIsAsGood() async throws {
        let server = try await Server()
        let answer = try await server.curl("/t/one/openapi.json").object()
        let servers = answer["servers"] as? [[String: String]]
        #expect(servers == [["url": server.url + "/t/one"]])
        #expect(await server.stop() == 0)
    }
}

/// `Tests/CrossChecks/openapi.py`.
private enum OpenAPICheck {
    private static let python = Repository.root.appending(path: ".build/venv/bin/python")
    private static let script = Repository.root.appending(path: "Tests/CrossChecks/openapi.py")

    static let isInstalled = FileManager.default.isExecutableFile(atPath: python.path())
    static let isRequired = ProcessInfo.processInfo.environment["PAWL_REQUIRE_CROSSCHECKS"] == "1"
    static let notInstalled: Comment =
        ".build/venv is missing: python3 -m venv .build/venv && .build/venv/bin/pip install -r Tests/CrossChecks/requirements.txt"

    struct Report: Decodable {
        let checked: [String]
        let undriven: [String]
        let problems: [String]
    }

    static func run(_ url: String) async throws -> Report {
        let result = try await ProcessRunner.run(python, [script.path(), url])
        #expect(result.exitCode == 0, "\(result.errors)")
        return try JSONDecoder().decode(Report.self, from: Data(result.outputBytes))
    }
}
