/// Rings once, after a while: for whoever waits for something that may not come.
///
/// Handed in like the time itself, for nothing below the executable sleeps. What is measured is real time: a clock that a
/// test has stopped does not keep anybody waiting.
///
///     struct QueueAlarm: Alarm {
///         func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
///             DispatchQueue.global().asyncAfter(deadline: .now() + delay / .seconds(1), execute: body)
///         }
///     }
public protocol Alarm: Sendable {
    /// Calls `body` once, on a thread of the alarm's choice, when the delay is over.
    func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void)
}

/// Never rings: where nobody said how to wait, nothing is waited for.
package struct NoAlarm: Alarm {
    package init() {}

    package func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {}
}
