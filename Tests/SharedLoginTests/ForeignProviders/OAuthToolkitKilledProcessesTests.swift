import Foundation
import Primitives
import SessionClient
import TestSupport
import Testing

/// The trial of ``KilledProcessesTests`` at django-oauth-toolkit: each of its tokens is good once, a second time ends the
/// family, and the grace period alone is what an answer that was lost with its process can be had again in.
@Suite(
    .enabled(if: OtherImplementations.isInstalled || OtherImplementations.isRequired, OtherImplementations.notInstalled)
) struct OAuthToolkitKilledProcessesTests {
    @Test func nobodyIsSignedOutInTheGracePeriod() async throws {
        let world = try await ForeignWorld(
            ForeignProvider.Setup(lifetime: 2, grace: 3600, isProtected: true, delay: .milliseconds(400)))
        let directory = try TemporaryDirectory()
        let path = directory.path("login")
        let session = world.manager(EncryptedFileStore(directory: path, clock: world.clock))
        try await session.signIn(try await world.login())
        let trial = KillingTrial(
            issuer: world.provider.issuer, clientID: ForeignProvider.clientID, path: path, seconds: KillingTrial.seconds
        )
        let outcome = try await trial.run()
        #expect(outcome.isClean, "\(outcome.lines)")
        #expect(outcome.generations >= trial.leastGenerations)
        let state = try await world.provider.state()
        #expect(state.refreshes.allSatisfy { $0.status == 200 }, "\(state.refreshes.map(\.status))")
        // Nobody has signed in anew, and one token is alive.
        #expect(state.families == 1 && state.refreshTokens["live"] == 1)
        // Each generation is one refresh; each kill may have cost the answer of one more, which was then given again.
        #expect(state.refreshes.count >= outcome.generations)
        #expect(
            state.refreshes.count <= outcome.generations + outcome.kills + 2, "\(state.refreshes.count) for \(outcome)")
        #expect(state.refreshes.count - state.rotations <= outcome.kills + 2)
        // What was given again may be over, and a request is sent twice at the most: the next one is answered.
        let first = try await world.use(session)
        #expect(first == 200 || first == 401)
        #expect(try await world.use(session) == 200)
    }

    /// The process that refreshes dies when the server has rotated and the answer is on its way. In the grace period the other one
    /// goes on where it was left; without one he says that the session is over, which it is.
    @Test(.timeLimit(.minutes(2)), arguments: [60, 0])
    func theOtherProcessTakesOverFromAKilledOne(grace: Int) async throws {
        let world = try await ForeignWorld(
            ForeignProvider.Setup(lifetime: 2, grace: grace, isProtected: true, delay: .seconds(1)))
        let directory = try TemporaryDirectory()
        let path = directory.path("login")
        try await world.manager(EncryptedFileStore(directory: path, clock: world.clock)).signIn(try await world.login())
        let trial = KillingTrial(
            issuer: world.provider.issuer, clientID: ForeignProvider.clientID, path: path, seconds: 30)

        let first = try trial.startProcess()
        while try await world.provider.state().refreshes.isEmpty {
            try await Task.sleep(for: .milliseconds(20))
        }
        first.send(SIGKILL)
        _ = await first.waitForExit()
        #expect(try await trial.generations() == 0)

        let second = try trial.startProcess()
        if grace > 0 {
            while try await trial.generations() == 0 { try await Task.sleep(for: .milliseconds(50)) }
            #expect(second.output.lines.isEmpty)
        } else {
            let line = await second.output.first { $0.contains("signed out") }
            #expect(line?.contains("invalid_grant") == true, "\(line ?? "nothing")")
        }
        let refreshes = try await world.provider.state().refreshes
        #expect(refreshes.prefix(2).map(\.error) == [nil, grace > 0 ? nil : "invalid_grant"])
    }
}
