import IdentityProvider
import Primitives
import Testing

@Suite struct AttemptLimiterTests {
    private static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)
    private let limiter = AttemptLimiter(maximumCount: 10)

    private func admits(_ name: String = "a", after time: Duration = .zero, allowing limit: Int = 3) -> Bool {
        limiter.admits(name, at: Self.start + time, allowing: limit, within: .seconds(60))
    }

    @Test func admitsSoManyAndNoMore() {
        #expect((0..<5).map { _ in admits() } == [true, true, true, false, false])
        #expect(admits("b"))
    }

    @Test func admitsAgainWhenTheWindowIsOver() {
        for _ in 0..<4 { _ = admits() }
        #expect(!admits(after: .milliseconds(59_999)))
        #expect(admits(after: .seconds(60)))
        #expect(admits(after: .seconds(61)))
    }

    @Test func saysHowLongToWait() {
        let limiter = self.limiter
        func wait(_ time: Duration) -> Duration {
            limiter.wait(for: "a", at: Self.start + time, allowing: 3, within: .seconds(60))
        }
        #expect(wait(.zero) == .zero)
        for _ in 0..<2 { _ = admits() }
        #expect(wait(.zero) == .zero)
        _ = admits()
        #expect(wait(.seconds(20)) == .seconds(40))
        #expect(wait(.seconds(60)) == .zero)
    }

    @Test func givesOneBackOrAll() {
        for _ in 0..<3 { _ = admits() }
        limiter.giveBack("a")
        #expect(admits())
        #expect(!admits())
        limiter.forget("a")
        #expect((0..<4).map { _ in admits() } == [true, true, true, false])
        limiter.giveBack("nobody")
        #expect(limiter.count == 1)
    }

    @Test func withNothingAllowedAdmitsNothing() {
        #expect(!admits(allowing: 0))
        #expect(limiter.count == 0)
    }

    /// Names come from outside.
    @Test func remembersABoundedNumberOfNames() {
        for index in 0..<1000 { _ = admits("\(index)", after: .milliseconds(Int64(index))) }
        #expect(limiter.count <= 10)
        // The newest is among them.
        #expect(admits("999", after: .seconds(1)))
        #expect(admits("999", after: .seconds(1)))
        #expect(!admits("999", after: .seconds(1)))
    }

    /// Whoever makes up names tries each of them but seldom; that must not give back a name that was tried often.
    @Test func aFloodOfNamesOpensNoneThatIsShut() {
        for _ in 0..<3 { _ = admits() }
        for index in 0..<1000 { _ = admits("\(index)", after: .seconds(1)) }
        #expect(!admits(after: .seconds(2)))
        #expect(limiter.count <= 10)
    }

    /// One that counts under two names, as a username and an address.
    private func begin(_ first: (String, Int), _ second: (String, Int), after time: Duration = .zero) -> Duration? {
        limiter.begin(
            [.init(first.0, first.1), .init(second.0, second.1)], at: Self.start + time, within: .seconds(60))
    }

    @Test func anAttemptUnderTwoNamesCountsUnderBoth() {
        #expect(begin(("u", 2), ("p", 3)) == nil)
        #expect(begin(("u", 2), ("p", 3)) == nil)
        #expect(begin(("v", 2), ("p", 3)) == nil)
        // The address has had its three; the name has had two.
        #expect(begin(("w", 2), ("p", 3), after: .seconds(20)) == .seconds(40))
        #expect(begin(("u", 2), ("q", 3), after: .seconds(20)) == .seconds(40))
    }

    /// Room is made for all the names of an attempt, or the second would have the first forgotten.
    @Test(arguments: 0...10)
    func anAttemptUnderTwoNamesCountsUnderBothInAFullTable(others: Int) {
        for index in 0..<others { _ = admits("\(index)") }
        #expect(begin(("u", 1), ("p", 1)) == nil)
        #expect(begin(("u", 1), ("q", 9)) != nil)
        #expect(begin(("v", 9), ("p", 1)) != nil)
        #expect(limiter.count <= 10)
    }

    /// Nor does making room for one name take back what another of the attempt had counted.
    @Test(arguments: 0...9)
    func anAttemptKeepsWhatItsOtherNameHadCounted(others: Int) {
        _ = admits("u")
        for index in 0..<others { _ = admits("\(index)") }
        #expect(begin(("u", 2), ("p", 9)) == nil)
        #expect(begin(("u", 2), ("q", 9)) != nil)
    }

    /// What is refused under one name must not count under the other: somebody else's password would be shut by it.
    @Test func anAttemptThatIsRefusedCountsUnderNone() {
        for _ in 0..<3 { #expect(admits("p")) }
        for _ in 0..<5 { #expect(begin(("u", 1), ("p", 3)) != nil) }
        #expect(begin(("u", 1), ("q", 3)) == nil)
        #expect(begin(("u", 1), ("q", 3)) != nil)
    }

    /// The longest wait is the one that helps.
    @Test func saysTheLongerWaitOfTwo() {
        for _ in 0..<3 { _ = admits("early") }
        for _ in 0..<3 { _ = admits("late", after: .seconds(30)) }
        for pair in [("early", "late"), ("late", "early")] {
            #expect(begin((pair.0, 3), (pair.1, 3), after: .seconds(40)) == .seconds(50))
        }
        #expect(begin(("late", 3), ("none", 0), after: .seconds(40)) == .seconds(60))
    }

    @Test func namesAreComparedByteByByte() {
        for _ in 0..<3 { _ = admits("\u{E9}") }
        #expect(!admits("\u{E9}"))
        #expect(admits("e\u{301}"))
    }

    /// A clock that is set back must not keep anybody out for years.
    @Test func aClockSetBackOpensTheWindow() {
        for _ in 0..<4 { _ = admits(after: .seconds(1_000_000)) }
        #expect(admits(after: .zero))
    }

    @Test(arguments: 1...10)
    func ofManyAtOnceNoMoreAreAdmitted(round: Int) async {
        let limiter = AttemptLimiter()
        let admitted = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<64 {
                group.addTask { limiter.admits("a", at: Self.start, allowing: 10, within: .seconds(60)) }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(admitted == 10)
    }
}
