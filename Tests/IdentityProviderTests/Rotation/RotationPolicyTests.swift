import IdentityProvider
import OAuth
import Primitives
import Testing

/// What holds under every policy.
@Suite struct RotationPolicyTests {
    @Test(arguments: RotationPolicy.profiles)
    func refusesAnEndedFamilyAndKeepsTheFirstReason(policy: RotationPolicy) {
        var line = RotationLine(policy)
        line.family.end(.loggedOut, at: line.now)
        line.wait(.seconds(1))
        #expect(line.present(1) == "ended")
        #expect(line.family.ended == Family.Ending(.loggedOut, at: RotationLine.start))
    }

    @Test(arguments: RotationPolicy.profiles, [0, 2, 3, UInt32.max] as [UInt32])
    func refusesANumberThatWasNeverGivenAndEndsNothing(policy: RotationPolicy, node: UInt32) {
        var line = RotationLine(policy)
        let before = line.family.rotation
        #expect(line.present(node) == "unknown")
        #expect(line.present(node, inRace: true) == "unknown")
        #expect(line.family.ended == nil)
        #expect(line.family.rotation == before)
    }

    @Test(arguments: RotationPolicy.profiles)
    func refusesEveryNumberWhereNoTokenWasGiven(policy: RotationPolicy) {
        var line = RotationLine(policy)
        line.family.rotation = RotationState()
        for node in [0, 1] as [UInt32] { #expect(line.present(node) == "unknown") }
    }

    @Test func withoutAnEndItIsGoodForEver() {
        var line = RotationLine(.strict, lasting: nil)
        line.now = .endOfYear9999
        #expect(line.present(1) == "2")
    }

    @Test func revokesNoMoreThanTheNewestToken() throws {
        var line = try RotationLine("okta,revoke=token")
        #expect(line.present(1) == "2")
        #expect(line.present(1) == "3 for a replay")
        line.wait(.seconds(30))
        #expect(line.present(1) == "reused")
        #expect(line.leaves == [2])
        #expect(line.ended == nil)
        #expect(line.present(2) == "4")
    }

    @Test func aReplayMayGetAnAccessTokenAlone() throws {
        var line = try RotationLine("okta,replay=access,count=2")
        #expect(line.present(1) == "2")
        #expect(line.present(1) == "access alone")
        #expect(line.present(1) == "access alone")
        #expect(line.leaves == [2])
        #expect(line.present(1) == "reused")
    }

    @Test(arguments: [("reject", "concurrent"), ("retry", "concurrent, retry")])
    func aReplayMayBeRefusedWithoutEndingAnything(replay: String, outcome: String) throws {
        var line = try RotationLine("strict,window=10s,replay=\(replay)")
        #expect(line.present(1) == "2")
        for _ in 0..<3 { #expect(line.present(1) == outcome) }
        #expect(line.ended == nil)
        line.wait(.seconds(10))
        #expect(line.present(1) == "reused")
        #expect(line.ended == .everything)
    }

    /// One that is spent itself would end the family, or be refused, when its window is over.
    @Test func theSameSuccessorIsNeverOneThatIsNotGood() throws {
        var line = try RotationLine("strict,replay=same,window=1m,ancestors=any,revoke=token")
        #expect(line.present(1) == "2")
        #expect(line.present(1) == "2 again")
        #expect(line.present(2) == "3")
        #expect(line.present(1) == "3 again")
        #expect(line.present(2) == "3 again")
        #expect(line.leaves == [3])
        // And none is, once a reuse has revoked the newest.
        line.wait(.seconds(30))
        #expect(line.present(3) == "4")
        line.wait(.seconds(30))
        #expect(line.present(1) == "reused")
        #expect(line.present(3) == "concurrent")
    }

    /// Beyond so many good tokens a replay gets nothing, and it is no reuse.
    @Test func aReplayGetsNoMoreTokensThanTheBound() throws {
        var line = try RotationLine("okta")
        for _ in 1...RotationState.maximumLeafCount { _ = line.present(1) }
        #expect(line.leaves.count == RotationState.maximumLeafCount)
        #expect(line.present(1) == "concurrent")
        #expect(line.ended == nil)
        #expect(line.present(2) == "\(RotationState.maximumLeafCount + 2)")
        #expect(line.leaves.count == RotationState.maximumLeafCount)
    }

    /// Beyond so many spent tokens the oldest is forgotten, and its replay is one outside the window.
    @Test func theOldestReplacedTokenIsForgottenAtTheBound() throws {
        var line = try RotationLine("okta")
        for node in 1...UInt32(RotationState.maximumSpentCount + 1) { #expect(line.present(node) == "\(node + 1)") }
        #expect(line.family.rotation.spent.count == RotationState.maximumSpentCount)
        var other = line
        #expect(other.present(2).hasSuffix("for a replay"))
        #expect(line.present(1) == "reused")
        #expect(line.ended == .everything)
    }

    /// What a reuse ended, somebody else may end altogether later.
    @Test func whatWasSparedEndsLater() {
        var line = RotationLine(.auth0)
        _ = line.present(1)
        #expect(line.present(1) == "reused")
        #expect(!line.family.isOver)
        line.wait(.seconds(1))
        line.family.end(.revoked, at: line.now)
        #expect(line.family.isOver)
        #expect(line.family.ended?.reason == .refreshTokenReused)
        #expect(line.family.ended?.moment == RotationLine.start)
    }

    @Test func theEndOfAFamilyNeverBecomesLess() {
        var line = RotationLine(.oidcProvider)
        line.family.end(.refreshTokenReused, at: line.now, reach: .grant)
        line.family.end(.revoked, at: line.now)
        #expect(line.ended == .grant)
        line.family.end(.revoked, at: line.now, reach: .refreshTokens)
        #expect(line.ended == .grant)
    }

    /// Where a store failed before the rest of the grant had ended, the next one who comes has it ended.
    @Test func theRestOfTheGrantIsRememberedUntilItHasEnded() {
        var line = RotationLine(.oidcProvider)
        _ = line.present(1, fromPublicClient: true)
        #expect(line.judge(1) == .refused(.init(.reused, endsGrant: true)))
        #expect(line.judge(2) == .refused(.init(.ended, endsGrant: true)))
        line.family.ended?.reach = .everything
        #expect(line.judge(2) == .refused(.init(.ended)))
    }

    /// A clock that is set back must not make a token outside the window one within it where there is no window.
    @Test func aClockThatWasSetBackOpensNoWindow() {
        var line = RotationLine(.strict)
        _ = line.present(1)
        line.wait(.seconds(-60))
        #expect(line.present(1) == "reused")
    }
}
