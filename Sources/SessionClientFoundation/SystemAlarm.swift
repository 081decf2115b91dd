import Primitives

/// Rings by the clock of the system, for as long as the process runs.
///
///     SystemAlarm().ring(after: .seconds(1)) { print("one second") }
public struct SystemAlarm: Alarm {
    /// It holds nothing.
    public init() {}

    /// On a task of its own.
    public func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        Task {
            try? await Task.sleep(for: delay)
            body()
        }
    }
}
