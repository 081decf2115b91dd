import Primitives

/// The clock of a provider: every lifetime goes by it, and no test has to wait.
///
///     let before = idp.clock.secondsSince1970
///     idp.clock.advance(by: .seconds(3600))           // access tokens have expired
///     idp.clock.freeze()                              // and no time passes any more
public struct TestClock: Sendable {
    let clock: AdjustableClock

    /// What time it is, to the millisecond.
    public var secondsSince1970: Double { Double(clock.now().millisecondsSinceEpoch) / 1000 }

    /// Whether it stands still.
    public var isFrozen: Bool { clock.isFrozen }

    /// Moves it on, or back by a negative duration. A clock that stands still stays so.
    ///
    ///     idp.clock.advance(by: .seconds(301))
    public func advance(by duration: Duration) { clock.advance(by: duration) }

    /// Sets it.
    ///
    ///     idp.clock.set(secondsSince1970: 1_900_000_000)
    public func set(secondsSince1970 seconds: Double) {
        let milliseconds = Int64(exactly: (seconds * 1000).rounded()) ?? (seconds < 0 ? .min : .max)
        clock.set(to: Timestamp(millisecondsSinceEpoch: milliseconds))
    }

    /// Stops it.
    ///
    ///     idp.clock.freeze()
    public func freeze() { clock.freeze() }

    /// Lets it go on from where it was stopped.
    ///
    ///     idp.clock.resume()
    public func resume() { clock.resume() }

    /// Back to the time of the machine.
    ///
    ///     idp.clock.reset()
    public func reset() { clock.reset() }
}
