import Synchronization

/// A clock that stands still until somebody moves it.
///
///     let clock = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000))
///     clock.advance(by: .seconds(30))
public final class ManualClock: WallClock {
    private let milliseconds: Atomic<Int64>

    public init(startingAt moment: Timestamp) {
        milliseconds = Atomic(moment.millisecondsSinceEpoch)
    }

    public func now() -> Timestamp {
        Timestamp(millisecondsSinceEpoch: milliseconds.load(ordering: .acquiring))
    }

    public func advance(by duration: Duration) {
        milliseconds.wrappingAdd(duration.inMilliseconds, ordering: .acquiringAndReleasing)
    }

    public func set(to moment: Timestamp) {
        milliseconds.store(moment.millisecondsSinceEpoch, ordering: .releasing)
    }
}
