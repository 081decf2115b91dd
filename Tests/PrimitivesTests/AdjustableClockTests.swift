import Primitives
import Synchronization
import Testing

@Suite struct AdjustableClockTests {
    private let base = ManualClock(startingAt: AdjustableClockTests.start)
    private let clock: AdjustableClock

    private static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)

    init() { clock = AdjustableClock(following: base) }

    @Test func followsTheOther() {
        #expect(clock.now() == Self.start)
        base.advance(by: .milliseconds(1))
        #expect(clock.now() == Self.start + .milliseconds(1))
        #expect(!clock.isFrozen)
    }

    @Test func isAheadOrBehindByWhatItWasMoved() {
        clock.advance(by: .seconds(60))
        clock.advance(by: .seconds(-10))
        #expect(clock.now() == Self.start + .seconds(50))
        base.advance(by: .seconds(5))
        #expect(clock.now() == Self.start + .seconds(55))
        clock.advance(by: .seconds(-100))
        #expect(clock.now() == Self.start - .seconds(45))
    }

    @Test func standsStillUntilItGoesOn() {
        clock.advance(by: .seconds(10))
        clock.freeze()
        base.advance(by: .seconds(100))
        #expect(clock.isFrozen)
        #expect(clock.now() == Self.start + .seconds(10))
        clock.advance(by: .seconds(1))
        #expect(clock.isFrozen)
        #expect(clock.now() == Self.start + .seconds(11))
        clock.resume()
        #expect(!clock.isFrozen)
        #expect(clock.now() == Self.start + .seconds(11))
        base.advance(by: .seconds(1))
        #expect(clock.now() == Self.start + .seconds(12))
        clock.resume()
        #expect(clock.now() == Self.start + .seconds(12))
    }

    /// A clock that is later whenever it is looked at.
    private final class Ticking: WallClock {
        private let looks = Atomic<Int64>(0)

        func now() -> Timestamp {
            Timestamp(millisecondsSinceEpoch: looks.wrappingAdd(1, ordering: .relaxed).newValue)
        }
    }

    @Test func isSetAndStoppedAtOneMoment() {
        let clock = AdjustableClock(following: Ticking())
        let moment = Timestamp(secondsSinceEpoch: 42)
        let reading = clock.set(to: moment, isFrozen: true)
        #expect(reading.moment == moment && reading.isFrozen)
        #expect(clock.now() == moment && clock.isFrozen)
    }

    /// Two that move it at once do not lead it out of the range together.
    @Test func isNotMovedOutOfARangeByManyAtOnce() async {
        let end = Self.start + .seconds(10)
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<100 {
                group.addTask { [clock] in clock.advance(by: .seconds(1), within: Self.start...end) != nil }
            }
            var count = 0
            for await isMoved in group where isMoved { count += 1 }
            #expect(count == 10)
        }
        #expect(clock.now() == end)
        #expect(clock.advance(by: .seconds(-11), within: Self.start...end) == nil)
        #expect(clock.now() == end)
    }

    @Test func isSetWhetherItGoesOrStands() {
        let moment = Timestamp(secondsSinceEpoch: 42)
        clock.set(to: moment)
        base.advance(by: .seconds(1))
        #expect(clock.now() == moment + .seconds(1))
        clock.freeze()
        clock.set(to: moment)
        base.advance(by: .seconds(1))
        #expect(clock.now() == moment)
        #expect(clock.isFrozen)
    }

    @Test func isResetToTheOther() {
        clock.advance(by: .seconds(60))
        clock.freeze()
        base.advance(by: .seconds(1))
        clock.reset()
        #expect(!clock.isFrozen)
        #expect(clock.now() == base.now())
    }

    /// No move is lost, however many come at once.
    @Test func manyMoveItAtOnce() async {
        let clock = self.clock
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<32 {
                group.addTask {
                    for _ in 0..<100 { clock.advance(by: .milliseconds(index % 2 == 0 ? 3 : -1)) }
                }
            }
        }
        #expect(clock.now() == Self.start + .milliseconds(16 * 100 * 2))
    }
}
