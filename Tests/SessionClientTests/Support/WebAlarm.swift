import Primitives
import SessionClient
import Synchronization

/// Time and work that a test moves on itself: nothing runs by itself, and everything runs in one order.
///
///     let time = WebAlarm()
///     let answer = time.result { await page.fetch(url) }
final class WebAlarm: WallClock, Alarm, TaskExecutor {
    private let time = VirtualTime()
    private let jobs = Mutex<[UnownedJob]>([])

    func now() -> Timestamp { time.now() }

    func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) { time.ring(after: delay, body) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    var launch: TaskLaunch {
        { work in Task(executorPreference: self, operation: work) }
    }

    /// Runs what is ready, and nothing that needs time.
    func runJobs() {
        while let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// Lets so much time pass, with everything that happens in it.
    func pass(_ duration: Duration) {
        let end = now() + duration
        repeat { runJobs() } while time.ringNext(until: end)
        time.set(end)
        runJobs()
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
