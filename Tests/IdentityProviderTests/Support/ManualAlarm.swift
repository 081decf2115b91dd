import Primitives

/// Rings when the test says so.
final class ManualAlarm: Alarm {
    private let (armings, continuation) = AsyncStream.makeStream(of: (Duration, @Sendable () -> Void).self)

    func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        continuation.yield((delay, body))
    }

    /// Waits until somebody has armed it, rings, and says for when it was armed.
    func ringNext() async -> Duration? {
        for await (delay, body) in armings {
            body()
            return delay
        }
        return nil
    }

    /// Waits until somebody has armed it; the bell is in the test's hands.
    @discardableResult
    func armed() async -> @Sendable () -> Void {
        for await (_, body) in armings { return body }
        return {}
    }
}
