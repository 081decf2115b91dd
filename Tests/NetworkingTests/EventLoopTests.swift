import Foundation
import Networking
import Synchronization
import Testing

@Suite struct EventLoopTests {
    let group: EventLoopGroup
    var loop: EventLoop { group.loops[0] }

    init() throws {
        group = try EventLoopGroup(count: 2)
    }

    @Test func runsActionsInTheOrderTheyWereLeft() async {
        let seen = Mutex<[Int]>([])
        for number in 0..<1000 { loop.execute { seen.withLock { $0.append(number) } } }
        await loop.run {}
        #expect(seen.withLock { $0 } == Array(0..<1000))
    }

    @Test func losesNothingThatManyThreadsLeave() async throws {
        let count = Count()
        await withTaskGroup(of: Void.self) { tasks in
            for _ in 0..<8 {
                tasks.addTask { [loop] in
                    for _ in 0..<2000 { loop.execute { count.increment() } }
                    await loop.run {}
                }
            }
        }
        #expect(count.value == 16_000)
    }

    @Test func runsAtOnceOnItsOwnThread() async {
        let order = await loop.run { [loop] in
            var order = [1]
            withUnsafeMutablePointer(to: &order) { pointer in
                nonisolated(unsafe) let pointer = pointer
                loop.execute { pointer.pointee.append(2) }
            }
            return order + [3]
        }
        #expect(order == [1, 2, 3])
    }

    @Test func firesTimersWhenTheyAreDueAndInOrder() async {
        let seen = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            loop.execute { [loop] in
                let begin = MonotonicInstant.now()
                for number in [5, 1, 4, 2, 3] {
                    loop.schedule(at: begin + .milliseconds(4 * number)) { seen.withLock { $0.append(number) } }
                }
                for number in [10, 11, 12] {
                    loop.schedule(at: begin + .milliseconds(20)) { seen.withLock { $0.append(number) } }
                }
                loop.schedule(at: begin + .milliseconds(30)) {
                    #expect(MonotonicInstant.now() >= begin + .milliseconds(30))
                    continuation.resume()
                }
            }
        }
        #expect(seen.withLock { $0 } == [1, 2, 3, 4, 5, 10, 11, 12])
    }

    @Test func firesNoTimerThatWasCancelled() async {
        let fired = Atomic(0)
        await withCheckedContinuation { continuation in
            loop.execute { [loop] in
                let begin = MonotonicInstant.now()
                let timers = (0..<500).map { number in
                    loop.schedule(at: begin + .milliseconds(1 + number % 7)) { fired.add(1, ordering: .relaxed) }
                }
                for (number, timer) in timers.enumerated() where number % 10 != 0 { loop.cancel(timer) }
                loop.schedule(at: begin + .milliseconds(10)) { continuation.resume() }
            }
        }
        let count = fired.load(ordering: .relaxed)
        #expect(count == 50)
    }

    @Test func runsTasksThatPreferIt() async {
        let isOnLoop = await withTaskExecutorPreference(loop) {
            let before = loop.isCurrent
            await Task.yield()
            return before && loop.isCurrent
        }
        #expect(isOnLoop)
    }

    @Test func comesBackFromAnotherLoop() async {
        let (first, second) = (group.loops[0], group.loops[1])
        await withTaskExecutorPreference(first) {
            for _ in 0..<100 {
                let other = await withTaskExecutorPreference(second) { second.isCurrent }
                #expect(other && first.isCurrent)
            }
        }
    }

    @Test func finishesTasksThatOutliveIt() async throws {
        let group = try EventLoopGroup(count: 1)
        let gate = Gate()
        let task = Task(executorPreference: group.loops[0]) {
            await gate.wait()
            return 7
        }
        group.shutdown()
        try await Task.sleep(for: .milliseconds(5))
        await gate.open()
        #expect(await task.value == 7)
    }

    /// What was left before the end is done by the loop as ever, and what that leaves in its turn too.
    @Test func doesWhatItWasAskedToBeforeItWasStopped() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let hold = DispatchSemaphore(value: 0)
        loop.execute { hold.wait() }
        let receiver = SilentReceiver()
        let outcome = await withCheckedContinuation { continuation in
            loop.execute {
                let registered = Result {
                    try loop.register(receiver.descriptor, interest: .readable, receiver: receiver)
                }
                loop.executeLater { continuation.resume(returning: (loop.isCurrent, registered)) }
            }
            group.shutdown()
            hold.signal()
        }
        #expect(outcome.0)
        #expect(throws: Never.self) { try outcome.1.get() }
    }

    @Test func runsItsTasksToTheEndWhenItIsStopped() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        let hold = DispatchSemaphore(value: 0)
        loop.execute { hold.wait() }
        let task = Task(executorPreference: loop) {
            for _ in 0..<100 { await Task.yield() }
            return loop.isCurrent
        }
        // The task's first job is behind this one, and the end behind both.
        loop.execute { group.shutdown() }
        hold.signal()
        #expect(await task.value)
    }

    @Test func registersNothingOnceItHasEnded() async throws {
        let group = try EventLoopGroup(count: 1)
        let loop = group.loops[0]
        group.shutdown()
        while await loop.run({ loop.isCurrent }) { await Task.yield() }
        let receiver = SilentReceiver()
        let error = #expect(throws: NetworkingError.self) {
            try loop.register(receiver.descriptor, interest: .readable, receiver: receiver)
        }
        #expect(error?.kind == .cancelled)
        loop.deregister(receiver.descriptor)
    }

    @Test func forgetsWhomItHasToldOfTheEndOfItsRound() async throws {
        let kept = await loop.run { [loop] in
            let receiver = SilentReceiver()
            loop.callAtEndOfRound(receiver)
            return WeakReceiver(receiver)
        }
        await loop.run {}
        await loop.run {}
        #expect(kept.isGone)
    }

    @Test func givesAnErrorAndABlockedThreadBack() async throws {
        struct Failed: Error {}
        #expect(await BlockingWork.run { usleep(1000) } == 0)
        await #expect(throws: Failed.self) { try await BlockingWork.run { () throws(Failed) in throw Failed() } }
    }

    @Test func doesMuchBlockingWork() async {
        let sum = await withTaskGroup(of: Int.self) { tasks in
            for number in 0..<200 { tasks.addTask { await BlockingWork.run { number } } }
            return await tasks.reduce(0, +)
        }
        #expect(sum == 19_900)
    }
}

/// Has a descriptor of its own and hears nothing.
private final class SilentReceiver: EventReceiver, Sendable {
    let descriptor = socket(AF_UNIX, 1, 0)

    deinit { close(descriptor) }

    func receive(_ events: EventSet) {}
}

private final class WeakReceiver: @unchecked Sendable {
    private weak var receiver: SilentReceiver?

    init(_ receiver: SilentReceiver) {
        self.receiver = receiver
    }

    var isGone: Bool { receiver == nil }
}
