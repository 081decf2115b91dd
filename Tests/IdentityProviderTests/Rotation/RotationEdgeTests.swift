import IdentityProvider
import OAuth
import Primitives
import Testing

/// The exact edges of windows and lifetimes (M7), a millisecond before, at and after.
@Suite struct RotationEdgeTests {
    /// Those with a window of ten seconds, and what a replay within it gets.
    private static let windows = [
        ("okta", "3 for a replay"), ("auth0", "3 for a replay"), ("supabase,ancestors=any", "2 again"),
        ("keycloak,count=1", "3 for a replay"), ("hydra", "3 for a replay"), ("dex,young=rotated", "2 again"),
        ("cognito", "3 for a replay"), ("wso2", "3 for a replay"), ("strict,replay=retry", "concurrent, retry"),
        ("strict,replay=access", "access alone"),
    ]

    @Test(arguments: windows)
    func aWindowIsOverAtTheMillisecond(policy: String, outcome: String) throws {
        for (milliseconds, expected) in [
            (0, outcome), (1, outcome), (9_999, outcome), (10_000, "reused"), (10_001, "reused"),
        ] {
            var line = try RotationLine(policy + ",window=10s")
            #expect(line.present(1) == "2")
            line.wait(.milliseconds(milliseconds))
            #expect(line.present(1) == expected, "\(policy) after \(milliseconds) ms")
        }
    }

    @Test(arguments: RotationPolicy.profiles)
    func anAbsoluteLifetimeIsOverAtTheMillisecond(policy: RotationPolicy) {
        for (milliseconds, isOver) in [(3_599_999, false), (3_600_000, true), (3_600_001, true)] {
            var line = RotationLine(policy, lasting: .seconds(3600))
            line.wait(.milliseconds(milliseconds))
            #expect((line.present(1) == "expired") == isOver)
            #expect(line.ended == nil)
        }
    }

    /// Rotation never extends it, however often it happens.
    @Test(arguments: RotationPolicy.profiles)
    func noRotationExtendsTheAbsoluteLifetime(policy: RotationPolicy) {
        var policy = policy
        policy.absoluteLifetime = .seconds(60)
        policy.rotation = policy.rotation == .never ? .never : .always
        policy.keepsYoung = false
        var line = RotationLine(policy)
        for _ in 0..<59 {
            line.wait(.seconds(1))
            #expect(line.judge(line.family.rotation.current).isAccepted)
        }
        line.wait(.milliseconds(999))
        #expect(line.judge(line.family.rotation.current).isAccepted)
        line.wait(.milliseconds(1))
        #expect(line.present(line.family.rotation.current) == "expired")
    }

    /// What was said when the family began holds, if it is less.
    @Test func aPolicyDoesNotMakeAFamilyOlderThanItWasToBecome() throws {
        var line = RotationLine(try RotationPolicy(parsing: "strict,absolute=2h"), lasting: .seconds(3600))
        line.wait(.seconds(3600))
        #expect(line.present(1) == "expired")
    }

    @Test(arguments: RotationPolicy.profiles)
    func anIdleLifetimeIsOverAtTheMillisecond(policy: RotationPolicy) {
        var policy = policy
        policy.idleLifetime = .seconds(60)
        policy.idleExtension = .use
        for (milliseconds, isOver) in [(59_999, false), (60_000, true), (60_001, true)] {
            var line = RotationLine(policy)
            line.wait(.milliseconds(milliseconds))
            #expect((line.present(1) == "idle") == isOver)
            // And after a use, which extends it.
            line = RotationLine(policy)
            line.wait(.seconds(30))
            #expect(line.judge(1).isAccepted)
            line.wait(.milliseconds(milliseconds))
            #expect((line.present(line.family.rotation.current) == "idle") == isOver)
        }
    }

    @Test(arguments: RotationPolicy.profiles)
    func useExtendsNoIdleLifetimeWhereItMayNot(policy: RotationPolicy) {
        var policy = policy
        policy.idleLifetime = .seconds(60)
        policy.idleExtension = .nothing
        var line = RotationLine(policy)
        line.wait(.milliseconds(59_999))
        #expect(line.judge(1).isAccepted)
        line.wait(.milliseconds(1))
        #expect(line.present(line.family.rotation.current) == "idle")
    }

    /// Where it is the lifetime of each token, to use one that is kept extends nothing.
    @Test func aNewTokenAloneExtendsTheIdleLifetime() throws {
        for (milliseconds, outcome) in [(29_999, "1 kept"), (30_000, "idle"), (30_001, "idle")] {
            var line = try RotationLine("reuse,idle=60s,idle-extends=new-token")
            line.wait(.seconds(30))
            #expect(line.present(1) == "1 kept")
            line.wait(.milliseconds(milliseconds))
            #expect(line.present(1) == outcome)
            #expect(line.policy.isOver(line.family, at: line.now) == (outcome == "idle"))
        }
        var line = try RotationLine("okta,idle=60s,idle-extends=new-token")
        line.wait(.seconds(59))
        #expect(line.present(1) == "2")
        line.wait(.seconds(1))
        #expect(line.present(1) == "3 for a replay")
        // Each for its own time.
        line.wait(.seconds(59))
        #expect(line.present(2) == "idle")
        #expect(line.present(3) == "4")
    }

    /// A refusal is no use.
    @Test func aReplayThatIsRefusedExtendsNothing() throws {
        var line = try RotationLine("duende,idle=60s")
        _ = line.present(1)
        line.wait(.seconds(59))
        #expect(line.present(1) == "reused")
        line.wait(.seconds(1))
        #expect(line.present(2) == "idle")
    }

    /// A replay in the very millisecond of the rotation is seen, where there is no window.
    @Test(arguments: ["strict", "auth0", "keycloak", "hydra", "dex", "duende"])
    func aReplayInTheSameMomentIsSeen(policy: String) throws {
        var line = try RotationLine(policy)
        #expect(line.present(1) == "2")
        #expect(line.present(1) == "reused")
    }

    @Test func aShareOfTheLifetimeIsOverAtTheMillisecond() throws {
        for (milliseconds, outcome) in [(49_999, "1 kept"), (50_000, "2"), (50_001, "2")] {
            var line = RotationLine(try RotationPolicy(parsing: "strict,rotate=50%"), lasting: .seconds(100))
            line.wait(.milliseconds(milliseconds))
            #expect(line.present(1) == outcome)
        }
    }

    @Test func ofATokenWithoutEndNoShareIsEverOver() throws {
        var line = RotationLine(try RotationPolicy(parsing: "strict,rotate=1%"), lasting: nil)
        line.now = .endOfYear9999
        #expect(line.present(1) == "1 kept")
    }
}
