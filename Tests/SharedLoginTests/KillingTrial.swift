import Foundation
import Primitives
import SessionClient
import TestSupport
import Testing

/// Two real processes that share a login in a store on the disk and use it without a pause, while one after the other is killed.
struct KillingTrial {
    let issuer: String
    let clientID: String
    /// Of the store: somebody has signed in there.
    let path: String
    let seconds: Int

    /// A minute by `make shared-login`.
    static let seconds = ProcessInfo.processInfo.environment["PAWL_SHARED_LOGIN_SECONDS"].flatMap(Int.init) ?? 12

    struct Outcome {
        var kills = 0
        /// What the processes have said: a line for each sign-out and each failure of the store.
        var lines: [String] = []
        /// How many refreshes were stored.
        var generations = 0
        /// From before the first process until after the last.
        var elapsed = Duration.zero

        var isClean: Bool { !lines.contains { $0.contains("signed out") || $0.contains("store") } }
    }

    /// Of access tokens that live for two seconds so many are replaced at the least.
    var leastGenerations: Int { seconds / 4 }

    /// And so many at the most: the end of a token is in whole seconds, so that it lives for all but one of them, and nothing is
    /// replaced before that. What the one that was there at the beginning had left may have been nothing.
    static func mostGenerations(in elapsed: Duration) -> Int {
        Int(elapsed / (accessTokenLifetime - .seconds(1))) + 1
    }

    static let accessTokenLifetime = Duration.seconds(2)

    func run() async throws -> Outcome {
        let clock = SystemWallClock()
        let start = clock.now()
        let end = start + .seconds(seconds)
        var outcome = Outcome()
        let random = SeededRandom(seed: 11)
        var processes = [try startProcess(), try startProcess()]
        while clock.now() < end {
            try await Task.sleep(for: .milliseconds(300 + Int(random.bytes(1)[0]) * 4))
            let victim = Int(random.bytes(1)[0]) % processes.count
            outcome.lines += await Self.kill(processes[victim])
            outcome.kills += 1
            processes[victim] = try startProcess()
        }
        // On a machine that is busy with other things nothing may come of the first of them: it goes on until enough has.
        while try await generations() < leastGenerations, clock.now() < end + .seconds(25) {
            try await Task.sleep(for: .milliseconds(200))
        }
        for process in processes { outcome.lines += await Self.kill(process) }
        outcome.elapsed = clock.now() - start
        outcome.generations = try await generations()
        return outcome
    }

    func startProcess() throws -> RunningProcess {
        let arguments = [
            "--issuer", issuer, "--client", clientID, "--store", path, "--seconds", "\(seconds + 30)",
        ]
        return try RunningProcess(
            ProcessRunner.product("SharedLogin"), arguments, environment: ProcessRunner.environment)
    }

    private static func kill(_ process: RunningProcess) async -> [String] {
        process.send(SIGKILL)
        _ = await process.waitForExit()
        _ = await process.output.first { _ in false }
        return process.output.lines
    }

    /// 1 came with the login.
    func generations() async throws -> Int {
        let store = EncryptedFileStore(directory: path, clock: SystemWallClock())
        let entry = try #require(try await store.read())
        return Int(try #require(try SessionRecord(encoded: entry.payload).credential).generation) - 1
    }
}
