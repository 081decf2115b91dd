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
