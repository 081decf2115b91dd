import Synchronization

/// A clock that stands still until somebody moves it.
///
///     let clock = ManualClock(startingAt: Timestamp(secondsSinceEpoch: 1_700_000_000))
///     clock.advance(by: .seconds(30))
///     clock.set(to: Timestamp(secondsSinceEpoch: 1_800_000_000))
public final class ManualClock: WallClock {
    private let milliseconds: Atomic<Int64>

    /// Stands at `moment`.
    public init(startingAt moment: Timestamp) {
        milliseconds = Atomic(moment.millisecondsSinceEpoch)
    }

    /// The moment to which it was moved last.
    public func now() -> Timestamp {
        Timestamp(millisecondsSinceEpoch: milliseconds.load(ordering: .acquiring))
    }

    /// Forward; by a negative duration, back.
    public func advance(by duration: Duration) {
        milliseconds.wrappingAdd(duration.inMilliseconds, ordering: .acquiringAndReleasing)
    }

    /// Forward or back, whatever it showed.
    public func set(to moment: Timestamp) {
        milliseconds.store(moment.millisecondsSinceEpoch, ordering: .releasing)
    }
}
