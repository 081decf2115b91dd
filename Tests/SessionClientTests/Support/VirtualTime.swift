import Primitives
import Synchronization

/// A clock and an alarm in the hands of a test: time passes when it says so, and whoever waited is called then.
final class VirtualTime: WallClock, Alarm {
    private struct State {
        var now = Timestamp(secondsSinceEpoch: 1_700_000_000)
        var bells: [(moment: Timestamp, body: @Sendable () -> Void)] = []
    }

    private let state = Mutex(State())

    func now() -> Timestamp { state.withLock { $0.now } }

    func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { $0.bells.append(($0.now + delay, body)) }
    }

    /// How many wait for something.
    var bellCount: Int { state.withLock { $0.bells.count } }

    func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            let now = state.now
            let due = state.bells.filter { $0.moment <= now }
            state.bells.removeAll { $0.moment <= now }
            return due
        }
        for bell in due.sorted(by: { $0.moment < $1.moment }) { bell.body() }
    }

    /// Lets time pass in steps until a task has ended.
    func pass<Value: Sendable>(_ step: Duration = .seconds(1), until task: Task<Value, any Error>) async throws -> Value
    {
        let isOver = Mutex(false)
        let watcher = Task {
            let result = await task.result
            isOver.withLock { $0 = true }
            return try result.get()
        }
        while !isOver.withLock({ $0 }) {
            advance(by: step)
            for _ in 0..<100 { await Task.yield() }
        }
        return try await watcher.value
    }
}
