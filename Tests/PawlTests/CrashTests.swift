import Foundation
import TestSupport
import Testing

/// The process is killed under load, again and again, and nothing that it had acknowledged is lost. `make crash` does the
/// same 200 times.
@Suite struct CrashTests {
    @Test(.timeLimit(.minutes(5)))
    func nothingAcknowledgedIsLostWhenTheProcessIsKilled() async throws {
        let python = try #require(ProcessRunner.find("python3"))
        let script = Repository.root.appending(path: "Tests/CrossChecks/crash.py").path()
        let result = try await ProcessRunner.run(
            python, [script, "--pawl", Pawl.executable.path(), "--rounds", "21", "--seconds", "270"])
        #expect(result.exitCode == 0, "\(result.errors)")
        let found = try result.object()
        #expect(found["loss"] == nil)
        #expect(try #require(found["tokens"] as? Int) > 0)
        #expect(try #require(found["codes"] as? Int) > 0)
        #expect(try #require(found["clients"] as? Int) > 0)
        let profiles = try #require(found["profiles"] as? [String: Int])
        #expect(profiles.keys.contains("strict") && profiles.count > 2)
        #expect(profiles.values.allSatisfy { $0 == 7 })
    }

    /// Whoever asked for more rounds than there was time for does not take the rest for played.
    @Test func failsWhenFewerRoundsWerePlayedThanAskedFor() async throws {
        let python = try #require(ProcessRunner.find("python3"))
        let script = Repository.root.appending(path: "Tests/CrossChecks/crash.py").path()
        let result = try await ProcessRunner.run(
            python, [script, "--pawl", Pawl.executable.path(), "--rounds", "3", "--seconds", "0"])
        #expect(result.exitCode == 2)
        #expect(result.errors.contains("0 rounds were played of 3"))
    }
}
