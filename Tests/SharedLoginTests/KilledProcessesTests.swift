import Foundation
import IdentityProviderTesting
import Primitives
import SessionClient
import TestSupport
import Testing

/// Real processes that share a store on the disk and use a real server through many expiries, while they are killed.
@Suite struct KilledProcessesTests {
    /// A minute by `make shared-login`.
    private static let seconds =
        ProcessInfo.processInfo.environment["PAWL_SHARED_LOGIN_SECONDS"].flatMap(Int.init) ?? 12

    @Test func nobodyIsSignedOutAndNoStoreIsDamaged() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("login")
        let setup = TestSetup(accessTokenLifetime: .seconds(2), rotation: "okta,window=1h", recordedRequests: 100_000)
        try await withIdentityProvider(setup) { idp in
            let clock = SystemWallClock()
            let store = EncryptedFileStore(directory: path, clock: clock)
            let tokens = try await idp.tokens(for: "alice", client: "native", scope: "openid offline_access")
            let first = Credential(
                TokenGrant(
                    accessToken: Secret(utf8: tokens.accessToken), tokenType: tokens.tokenType,
                    expiresIn: tokens.expiresIn, refreshToken: tokens.refreshToken.map(Secret.init(utf8:)),
                    receivedAt: clock.now()),
                ahead: RefreshAhead(), chance: 0)
            _ = try await store.write(
                SessionRecord(epoch: 1, content: .signedIn(first)).encoded, over: nil)

            let end = clock.now() + .seconds(Self.seconds)
            var (kills, lines): (Int, [String]) = (0, [])
            let random = SeededRandom(seed: 11)
            func start() throws -> RunningProcess {
                let arguments = [
                    "--issuer", idp.issuer, "--client", "native", "--store", path, "--seconds", "\(Self.seconds + 30)",
                ]
                return try RunningProcess(
                    ProcessRunner.product("SharedLogin"), arguments, environment: ProcessRunner.environment)
            }
            var processes = [try start(), try start()]
            // On a machine that is busy with other things nothing may come of the first of them: it goes on until enough has.
            let least = UInt64(Self.seconds / 4 + 1)
            func generation() async throws -> UInt64 {
                let entry = try #require(try await store.read())
                return try SessionRecord(encoded: entry.payload).credential?.generation ?? 0
            }
            while clock.now() < end {
                try await Task.sleep(for: .milliseconds(300 + Int(random.bytes(1)[0]) * 4))
                let victim = Int(random.bytes(1)[0]) % processes.count
                processes[victim].send(SIGKILL)
                _ = await processes[victim].waitForExit()
                _ = await processes[victim].output.first { _ in false }
                lines += processes[victim].output.lines
                kills += 1
                processes[victim] = try start()
            }
            while try await generation() < least, clock.now() < end + .seconds(25) {
                try await Task.sleep(for: .milliseconds(200))
            }
            for process in processes {
                process.send(SIGKILL)
                _ = await process.waitForExit()
                lines += process.output.lines
            }
            #expect(!lines.contains { $0.contains("signed out") || $0.contains("store") }, "\(lines)")

            let entry = try #require(try await store.read())
            let record = try SessionRecord(encoded: entry.payload)
            let credential = try #require(record.credential)
            #expect(try await idp.sessions().allSatisfy { !$0.hasEnded })
            let refreshes = idp.requests.filter { $0.grantType == "refresh_token" }
            #expect(refreshes.allSatisfy { $0.error == nil })
            // Each generation is one refresh; each kill may have cost the answer of one more.
            let generations = Int(credential.generation) - 1
            #expect(generations >= Self.seconds / 4)
            #expect(refreshes.count >= generations)
            #expect(
                refreshes.count <= generations + kills + 2, "\(refreshes.count) for \(generations) and \(kills) kills")
        }
    }
}
