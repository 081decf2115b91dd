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

    /// What stands before a block, which is run as it stands: the port is another, a refusal fails the block, what has no
    /// end is left when the time is over, and a program that need not be there looks at what it is given.
    private static func prelude(_ port: Int) -> String {
        #"""
        curl() {
          local code=0 lasting=
          case " $* " in *" -N "*) lasting=1 ;; esac
          command curl -sS --fail-with-body ${lasting:+--max-time 2} --connect-to localhost:8080:127.0.0.1:\#(port) \
            "$@" || code=$?
          [ $code = 0 ] || { [ -n "$lasting" ] && [ $code = 28 ]; }
        }
        dot() { grep '^digraph'; }

        """#
    }

    private func run(_ block: String, _ server: Server) async throws -> ProcessRunner.Result {
        let bash = try #require(ProcessRunner.find("bash"))
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        var environment = ProcessRunner.environment
        environment["PATH"] =
            Pawl.executable.deletingLastPathComponent().path() + ":" + (environment["PATH"] ?? "")
        environment["PAWL_URL"] = server.url
        let script = "cd '\(directory.path(""))'\n" + Self.prelude(try #require(server.addresses[0].port)) + block
        return try await ProcessRunner.run(bash, ["-euo", "pipefail", "-c", script], environment: environment)
    }

    @Test func everyCommandWorks() async throws {
        let blocks = try Self.blocks()
        #expect(blocks.count >= 8)
        for block in blocks where !block.contains("refresh B &") {
            let server = try await Server()
            let result = try await run(block, server)
            #expect(result.exitCode == 0, "\(block)\n\(result.output)\n\(result.errors)")
            #expect(!result.output.contains(#""error""#), "\(block)\n\(result.output)")
            #expect(await server.stop() == 0)
        }
    }

    /// The two that refresh at once: one gets tokens, and the other learns that the token was spent.
    @Test func theTwoThatMeetGoInTheirOrder() async throws {
        let block = try #require(try Self.blocks().first { $0.contains("refresh B & refresh A") })
        let server = try await Server()
        let result = try await run(block, server)
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
