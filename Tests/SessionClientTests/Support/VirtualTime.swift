import Primitives
import Synchronization

/// A clock and an alarm in the hands of a test: time passes when it says so, and whoever waited is called then.
final class VirtualTime: WallClock, Alarm {
    private struct Bell {
        let moment: Timestamp
        let number: UInt64
        let ring: @Sendable () -> Void
    }

    private struct State {
        var now = Timestamp(secondsSinceEpoch: 1_700_000_000)
        var bells: [Bell] = []
        var number: UInt64 = 0
    }

    private let state = Mutex(State())

    func now() -> Timestamp { state.withLock { $0.now } }

    func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.number += 1
            state.bells.append(Bell(moment: state.now + max(delay, .zero), number: state.number, ring: body))
        }
    }

    /// How many wait for something.
    var bellCount: Int { state.withLock { $0.bells.count } }

    /// Everything that was due meanwhile is called at its moment, in its order.
    func advance(by duration: Duration) {
        let end = now() + duration
        while ringNext(until: end) {}
        set(end)
    }

    /// Goes on to the next bell and rings it. `false`: there is none until then.
    func ringNext(until end: Timestamp) -> Bool {
        let bell: Bell? = state.withLock { state in
            let next = state.bells.indices.min {
                (state.bells[$0].moment, state.bells[$0].number) < (state.bells[$1].moment, state.bells[$1].number)
            }
            guard let next, state.bells[next].moment <= end else { return nil }
            let bell = state.bells.remove(at: next)
            state.now = max(state.now, bell.moment)
            return bell
        }
        bell?.ring()
        return bell != nil
    }

    func set(_ now: Timestamp) { state.withLock { $0.now = now } }

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
