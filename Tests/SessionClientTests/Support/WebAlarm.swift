import Primitives
import SessionClient
import Synchronization

/// Time and work that a test moves on itself: nothing runs by itself, and everything runs in one order.
///
///     let time = WebAlarm()
///     let answer = time.result { await page.fetch(url) }
final class WebAlarm: WallClock, Alarm, TaskExecutor {
    private struct Ring {
        let moment: Timestamp
        let number: UInt64
        let body: @Sendable () -> Void
    }

    private struct State {
        var now = Timestamp(secondsSinceEpoch: 1_700_000_000)
        var rings: [Ring] = []
        var number: UInt64 = 0
        var jobs: [UnownedJob] = []
    }
    private let state = Mutex(State())

    func now() -> Timestamp { state.withLock { $0.now } }

    func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.number += 1
            state.rings.append(Ring(moment: state.now + max(delay, .zero), number: state.number, body: body))
        }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    var launch: TaskLaunch {
        { work in Task(executorPreference: self, operation: work) }
    }

    /// Runs what is ready, and nothing that needs time.
    func runJobs() {
        while let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Lets so much time pass, with everything that happens in it.
    func pass(_ duration: Duration) {
        let end = now() + duration
        repeat { runJobs() } while ringNext(until: end)
        state.withLock { $0.now = end }
        runJobs()
    }

    private func ringNext(until end: Timestamp) -> Bool {
        let body: (@Sendable () -> Void)? = state.withLock { state in
            guard
                let next = state.rings.indices.min(by: { left, right in
                    (state.rings[left].moment, state.rings[left].number)
                        < (state.rings[right].moment, state.rings[right].number)
                }), state.rings[next].moment <= end
            else { return nil }
            let ring = state.rings.remove(at: next)
            state.now = max(state.now, ring.moment)
            return ring.body
        }
        body?()
        return body != nil
    }

    /// Begins something, and says later what came of it.
    func begin<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Pending<Value> {
        let pending = Pending<Value>()
        _ = launch { pending.set(await work()) }
        return pending
    }

    /// What comes of something, within a minute.
    func result<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Value? {
        let pending = begin(work)
        for _ in 0..<6000 where pending.value == nil { pass(.milliseconds(10)) }
        return pending.value
    }
}

/// The result of something that may still run.
final class Pending<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)

    var value: Value? { stored.withLock { $0 } }

    func set(_ value: Value) { stored.withLock { $0 = value } }
}
