#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Tells what time it is. Handed in everywhere, so that a test, or the control API, can move it.
///
///     struct StoppedClock: WallClock {
///         func now() -> Timestamp { Timestamp(secondsSinceEpoch: 1_700_000_000) }
///     }
public protocol WallClock: Sendable {
    /// The moment of the call. One may lie before another that was asked for earlier: people set clocks back.
    func now() -> Timestamp
}

/// The clock of the operating system.
///
///     let clock: any WallClock = SystemWallClock()
///     let deadline = clock.now() + .seconds(60)
public struct SystemWallClock: WallClock {
    /// All of them tell the same time.
    public init() {}

    /// What the system says, in milliseconds.
    public func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(millisecondsSinceEpoch: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }
}
