import IdentityProviderTesting
import Primitives
import SessionClient
import TestSupport
import Testing

/// Real processes that share a store on the disk and use a real server through many expiries, while they are killed.
@Suite struct KilledProcessesTests {
    @Test func nobodyIsSignedOutAndNoStoreIsDamaged() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.path("login")
        let setup = TestSetup(
            accessTokenLifetime: KillingTrial.accessTokenLifetime, rotation: "okta,window=1h", recordedRequests: 100_000
        )
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

            let trial = KillingTrial(
                issuer: idp.issuer, clientID: "native", path: path, seconds: KillingTrial.seconds)
            let outcome = try await trial.run()
            #expect(outcome.isClean, "\(outcome.lines)")
            #expect(outcome.generations >= trial.leastGenerations)
            #expect(outcome.generations <= KillingTrial.mostGenerations(in: outcome.elapsed), "\(outcome)")
            #expect(try await idp.sessions().allSatisfy { !$0.hasEnded })
            let refreshes = idp.requests.filter { $0.grantType == "refresh_token" }
            #expect(refreshes.allSatisfy { $0.error == nil })
            // Each generation is one refresh; each kill may have cost the answer of one more.
            #expect(refreshes.count >= outcome.generations)
            #expect(refreshes.count <= outcome.generations + outcome.kills + 2, "\(refreshes.count) for \(outcome)")
        }
    }
}
