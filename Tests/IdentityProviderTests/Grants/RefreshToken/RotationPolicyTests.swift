import IdentityProvider
import OAuth
import Primitives
import Testing

@Suite struct RotationPolicyTests {
    private static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)

    private static func family(lasting: Duration? = .seconds(3600), current: UInt32 = 1) -> Family {
        let terms = FamilyTerms(
            id: FamilyID(bytes: Array(1...16))!, clientID: "app", userID: "alice", scope: .empty, began: start,
            expires: lasting.map { start + $0 })
        var family = Family(terms)
        family.rotation.current = current
        return family
    }

    @Test func aTokenIsGoodOnce() {
        var family = Self.family()
        #expect(RotationPolicy.strict.judge(&family, presenting: 1, at: Self.start) == .granted(node: 2))
        #expect(family.rotation.current == 2)
        #expect(family.rotation.rotatedAt == Self.start)
        #expect(family.ended == nil)
    }

    /// RFC 9700 section 4.14.2.
    @Test func endsTheFamilyOfASpentToken() {
        var family = Self.family(current: 3)
        for node in [1, 2] as [UInt32] {
            var copy = family
            #expect(RotationPolicy.strict.judge(&copy, presenting: node, at: Self.start) == .refused(.reused))
            #expect(copy.ended == Family.Ending(.refreshTokenReused, at: Self.start))
        }
        _ = RotationPolicy.strict.judge(&family, presenting: 1, at: Self.start)
        #expect(RotationPolicy.strict.judge(&family, presenting: 3, at: Self.start) == .refused(.ended))
    }

    @Test func aReusablePolicyGivesTheSameAgain() {
        var family = Self.family(current: 2)
        for node in [1, 2, 1] as [UInt32] {
            #expect(RotationPolicy.reuse.judge(&family, presenting: node, at: Self.start) == .granted(node: node))
        }
        #expect(family.rotation.current == 2)
        #expect(family.ended == nil)
    }

    @Test(arguments: RotationPolicy.allCases)
    func refusesAnEndedFamilyAndKeepsTheFirstReason(policy: RotationPolicy) {
        var family = Self.family()
        family.end(.loggedOut, at: Self.start)
        #expect(policy.judge(&family, presenting: 1, at: Self.start + .seconds(1)) == .refused(.ended))
        #expect(family.ended == Family.Ending(.loggedOut, at: Self.start))
    }

    @Test(arguments: RotationPolicy.allCases)
    func aFamilyEndsAtTheMillisecond(policy: RotationPolicy) {
        let end = Self.start + .seconds(3600)
        var family = Self.family()
        #expect(policy.judge(&family, presenting: 1, at: end) == .refused(.expired))
        #expect(policy.judge(&family, presenting: 1, at: end + .milliseconds(1)) == .refused(.expired))
        #expect(family.ended == nil)
        guard case .granted = policy.judge(&family, presenting: 1, at: end - .milliseconds(1)) else {
            Issue.record("refused before its end")
            return
        }
    }

    @Test func withoutAnEndItIsGoodForEver() {
        var family = Self.family(lasting: nil)
        #expect(RotationPolicy.strict.judge(&family, presenting: 1, at: .endOfYear9999) == .granted(node: 2))
    }

    @Test(arguments: RotationPolicy.allCases, [0, 2, 3, UInt32.max] as [UInt32])
    func refusesANumberThatWasNeverGivenAndEndsNothing(policy: RotationPolicy, node: UInt32) {
        var family = Self.family()
        #expect(policy.judge(&family, presenting: node, at: Self.start) == .refused(.unknown))
        #expect(family.ended == nil)
        #expect(family.rotation.current == 1)
    }

    @Test(arguments: RotationPolicy.allCases)
    func refusesEveryNumberWhereNoTokenWasGiven(policy: RotationPolicy) {
        var family = Self.family(current: 0)
        for node in [0, 1] as [UInt32] {
            #expect(policy.judge(&family, presenting: node, at: Self.start) == .refused(.unknown))
        }
    }

    /// Random histories against a model that remembers every token that was given.
    @Test(arguments: 1...50 as ClosedRange<UInt64>)
    func inEveryHistoryOneTokenIsGoodAtMost(seed: UInt64) {
        let random = SeededRandom(seed: seed)
        var family = Self.family()
        var given: [UInt32] = [1]
        var good: UInt32? = 1
        var now = Self.start
        for _ in 0..<200 {
            let dice = random.bytes(4)
            now = now + .seconds(Int64(dice[0] % 40))
            let node: UInt32 =
                dice[1] % 8 == 0 ? UInt32(dice[2]) : given[max(0, given.count - 1 - Int(dice[2] % 3 == 0 ? 1 : 0))]
            if dice[3] == 0 {
                family.end(.revoked, at: now)
                good = nil
            }
            let isOver = now >= Self.start + .seconds(3600)
            let verdict = RotationPolicy.strict.judge(&family, presenting: node, at: now)
            switch verdict {
            case .granted(let next):
                #expect(node == good && !isOver)
                #expect(next == node + 1)
                #expect(!given.contains(next))
                given.append(next)
                good = next
            case .refused(let cause):
                #expect(node != good || isOver || good == nil)
                if cause == .reused {
                    #expect(given.contains(node))
                    good = nil
                }
            }
            #expect((family.ended != nil) == (good == nil))
        }
    }
}
