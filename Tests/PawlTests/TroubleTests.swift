import Foundation
import TestSupport
import Testing

/// Trouble with the disk, from outside the program as it is shipped: a clear word at the start, 503 while it serves, nothing
/// lost, and no restart when the cause is gone.
@Suite struct TroubleTests {
    @Test(
        .timeLimit(.minutes(3)),
        arguments: [
            "read-only", "truncated", "corrupt", "locked", "file-limit", "full-disk", "damaged-while-serving",
        ])
    func nothingIsLostInTrouble(scenario: String) async throws {
        let python = try #require(ProcessRunner.find("python3"))
        let script = Repository.root.appending(path: "Tests/CrossChecks/trouble.py").path()
        let result = try await ProcessRunner.run(python, [script, "--pawl", Pawl.executable.path(), scenario])
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try result.object()["scenario"] as? String == scenario)
    }
}
