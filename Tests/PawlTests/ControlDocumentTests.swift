import Foundation
import TestSupport
import Testing

/// The commands of `docs/control.md`, as they stand there.
@Suite struct ControlDocumentTests {
    /// Blocks of lines that are indented by four.
    private static func blocks() throws -> [String] {
        let page = try String(contentsOf: Repository.root.appending(path: "docs/control.md"), encoding: .utf8)
        var blocks: [[String]] = [[]]
        for line in page.components(separatedBy: "\n") {
            if line.hasPrefix("    ") {
                blocks[blocks.count - 1].append(String(line.dropFirst(4)))
            } else {
                blocks.append([])
            }
        }
        return blocks.filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.filter { !$0.hasPrefix("try ") }
    }

    /// What has no end, or needs a program that need not be there, stands for something that can be run to its end.
    private static func runnable(_ block: String, _ port: Int) -> String {
        var text = block.replacingOccurrences(of: "localhost:8080", with: "localhost:\(port)")
        for (old, new) in [
            ("curl -N ", "curl -s -H 'Accept: application/json' "), ("--follow ", ""),
            (" | dot -Tsvg > family.svg", " | grep digraph"), ("families show ID", "families show \"$ID\""),
            ("curl ", "curl -sS --fail-with-body "),
        ] { text = text.replacingOccurrences(of: old, with: new) }
        return text
    }

    private func run(_ script: String, _ server: Server) async throws -> ProcessRunner.Result {
        let tokens = try await server.curl(
            "/_pawl/sessions",
            [
                "-H", "Content-Type: application/json", "-d",
                #"{"user": "alice", "client": "web", "scope": "openid offline_access"}"#,
            ]
        ).object()
        let families = try await server.curl("/_pawl/families?limit=1").object()["families"] as? [[String: Any]]
        let bash = try #require(ProcessRunner.find("bash"))
        var environment = ProcessRunner.environment
        environment["PATH"] =
            Pawl.executable.deletingLastPathComponent().path() + ":" + (environment["PATH"] ?? "")
        environment["PAWL_URL"] = server.url
        environment["TOKEN"] = tokens["refresh_token"] as? String
        environment["ID"] = families?.first?["id"] as? String
        return try await ProcessRunner.run(bash, ["-euo", "pipefail", "-c", script], environment: environment)
    }

    @Test func everyCommandWorks() async throws {
        let blocks = try Self.blocks()
        #expect(blocks.count >= 8)
        for block in blocks where !block.contains("refresh B &") {
            let server = try await Server(["--alg", "ES256"])
            let script = Self.runnable(block, try #require(server.addresses[0].port))
            let result = try await run(script, server)
            #expect(result.exitCode == 0, "\(script)\n\(result.output)\n\(result.errors)")
            #expect(!result.output.contains(#""error""#), "\(script)\n\(result.output)")
            #expect(await server.stop() == 0)
        }
    }

    /// The two that refresh at once: one gets tokens, and the other learns that the token was spent.
    @Test func theTwoThatMeetGoInTheirOrder() async throws {
        let block = try #require(try Self.blocks().first { $0.contains("refresh B & refresh A") })
        let server = try await Server(["--alg", "ES256"])
        let script = Self.runnable(block, try #require(server.addresses[0].port))
            .replacingOccurrences(of: "--fail-with-body ", with: "")
        let result = try await run(script, server)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(result.output.contains("access_token") && result.output.contains("invalid_grant"))
        let records = try await server.curl("/_pawl/requests?path=/token").object()["requests"] as? [[String: Any]]
        // B, whose token was spent, was answered first.
        #expect(records?.compactMap { $0["status"] as? Int } == [400, 200])
        let barriers = try await server.curl("/_pawl/barriers").object()["barriers"] as? [[String: Any]]
        let labels = barriers?.map { ($0["released"] as? [[String: Any]])?.compactMap { $0["label"] as? String } ?? [] }
        #expect(labels == [["A", "B"], ["B", "A"]])
        #expect(await server.stop() == 0)
    }
}
