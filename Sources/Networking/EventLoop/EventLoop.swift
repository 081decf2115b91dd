import CLinux
import Glibc
import Primitives
import Synchronization

/// One thread that waits on its own epoll and runs what becomes ready: descriptors, timers, and the jobs of the
/// tasks that prefer it as their executor.
///
/// What is registered with a loop is touched on that loop's thread only; `isCurrent` tells, `execute` gets there.
/// Everything below that is marked *on the loop* traps elsewhere.
package final class EventLoop: TaskExecutor, @unchecked Sendable {
    // Shared with other threads, all of it safe to share.
    private let inbox = Inbox()
    private let isWakePending = Atomic(false)
    private let isStopping = Atomic(false)
    private let threadIdentity = Atomic<UInt>(0)
    private let epoll: Int32
    private let wakeDescriptor: Int32
    private let name: String

    // Confined to the loop's thread, which is why this class may call itself Sendable.
    @exclusivity(unchecked) private var registrations: [Registration] = []
    private var timers = TimerHeap()
    private var jobs: [UnownedJob] = []
    private var runningJobs: [UnownedJob] = []
    private var finishers: [any EventReceiver] = []
    @exclusivity(unchecked) private var batch = Batch()
    private var runningBatch = Batch()
    @exclusivity(unchecked) private var isJobAwaited = false
    @exclusivity(unchecked) private var awaitedJob: UnownedJob?
    private(set) var now = MonotonicInstant.now()
    /// Counts the rounds of the loop: what is computed once per round is kept under this number.
    private(set) var round: UInt64 = 0

    private struct Registration {
        var receiver: (any EventReceiver)?
        /// Told apart from the one before it under the same descriptor, whose events may still be in the batch.
        var generation: UInt32 = 0
    }

    /// Pieces of work, and the task that waits for each.
    private struct Batch {
        var works: [any BatchedWork] = []
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    /// With so many pieces of work a batch is begun before the round ends, so that the first does not wait for long.
    private static let batchLimit = 32
    /// How many receivers may wait for the end of a round, so that none of them waits for long.
    private static let finisherBatch = 16
    /// Events taken from epoll at once.
    private static let eventBatch = 256
    /// Stands for the wake-up descriptor in an event's data; no descriptor has this number.
    private static let wakeMark = UInt64.max

    /// Starts the loop's thread.
    package init(name: String = "pawl-loop") throws(NetworkingError) {
        self.name = name
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw NetworkingError(systemCall: "epoll_create1") }
        wakeDescriptor = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
        // From here on, whoever throws leaves the closing to `deinit`.
        guard wakeDescriptor >= 0 else { throw NetworkingError(systemCall: "eventfd") }
        var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(u64: Self.wakeMark))
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeDescriptor, &event)
        let loop = Unmanaged.passRetained(self)
        guard startThread({ loop.takeRetainedValue().run() }) else {
            loop.release()
            throw NetworkingError(systemCall: "pthread_create")
        }
    }

    deinit {
        close(epoll)
        if wakeDescriptor >= 0 { close(wakeDescriptor) }
    }

    /// Whether the caller is on the loop's thread.
    package var isCurrent: Bool {
        UInt(pthread_self()) == threadIdentity.load(ordering: .relaxed)
    }

    /// Traps off the loop's thread.
    package func preconditionCurrent() {
        precondition(isCurrent, "called off the loop's thread")
    }

    /// Makes the thread end when it has done what it was asked to before. What it is asked to later runs elsewhere.
    package func stop() {
        isStopping.store(true, ordering: .releasing)
        wake()
    }
}

// MARK: Work from anywhere

extension EventLoop {
    /// Runs a job of a task that prefers this loop.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            if isJobAwaited {
                isJobAwaited = false
                awaitedJob = job
            } else {
                jobs.append(job)
            }
        } else {
            post(.job(job))
        }
    }

    /// Runs `action` on the loop: at once when the caller is on it, else in one of the next rounds.
    package func execute(_ action: @escaping @Sendable () -> Void) {
        if isCurrent { action() } else { post(.action(action)) }
    }

    /// Runs `action` on the loop in one of the next rounds, never at once.
    package func executeLater(_ action: @escaping @Sendable () -> Void) {
        post(.action(action))
    }

    /// Runs `action` on the loop and returns what it returned.
    package func run<Value: Sendable>(_ action: @escaping @Sendable () -> Value) async -> Value {
        if isCurrent { return action() }
        return await withCheckedContinuation { continuation in
            execute { continuation.resume(returning: action()) }
        }
    }

    /// Resumes a task of this loop by `resume`, and runs it at once up to where it next waits, instead of in the next
    /// round. *On the loop.*
    func resumeNow(_ resume: () -> Void) {
        preconditionCurrent()
        isJobAwaited = true
        resume()
        isJobAwaited = false
        guard let job = awaitedJob else { return }
        awaitedJob = nil
        job.runSynchronously(on: asUnownedTaskExecutor())
    }

    private func post(_ work: Inbox.Work) {
        if inbox.put(work) { wake() } else { perform(work) }
    }

    private func wake() {
        guard !isWakePending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }
}

// MARK: Descriptors and timers

extension EventLoop {
    /// Reports `interest` in `descriptor` to `receiver`, which is kept until `deregister` or the loop's end. *On the
    /// loop*, or it has ended, which is an error.
    package func register(
        _ descriptor: Int32, interest: EventSet, receiver: any EventReceiver
    ) throws(NetworkingError) {
        guard !inbox.isClosed else { throw NetworkingError(.cancelled, "the event loop has ended") }
        preconditionCurrent()
        let index = Int(descriptor)
        while registrations.count <= index { registrations.append(Registration()) }
        precondition(registrations[index].receiver == nil, "the descriptor is registered already")
        let generation = registrations[index].generation &+ 1
        guard control(EPOLL_CTL_ADD, descriptor, interest, generation) else {
            throw NetworkingError(systemCall: "epoll_ctl")
        }
        registrations[index] = Registration(receiver: receiver, generation: generation)
    }

    /// Changes what is reported. *On the loop.*
    package func modify(_ descriptor: Int32, interest: EventSet) {
        preconditionCurrent()
        _ = control(EPOLL_CTL_MOD, descriptor, interest, registrations[Int(descriptor)].generation)
    }

    /// Reports nothing more about the descriptor; called before it is closed. *On the loop*, or it has ended and
    /// reports nothing anyway.
    package func deregister(_ descriptor: Int32) {
        guard !inbox.isClosed else { return }
        preconditionCurrent()
        guard registrations[Int(descriptor)].receiver != nil else { return }
        registrations[Int(descriptor)].receiver = nil
        _ = control(EPOLL_CTL_DEL, descriptor, [], 0)
    }

    private func control(_ operation: Int32, _ descriptor: Int32, _ interest: EventSet, _ generation: UInt32) -> Bool {
        let mark = UInt64(generation) << 32 | UInt64(UInt32(descriptor))
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: mark))
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }

    /// Calls the receiver's `finishRound` when the events at hand are delivered, or earlier when many wait for the same.
    /// *On the loop.*
    package func callAtEndOfRound(_ receiver: any EventReceiver) {
        if finishers.count >= Self.finisherBatch { finishRound() }
        finishers.append(receiver)
    }

    /// Does the work when the events at hand are delivered, or when much of it has come together, like with like and one piece
    /// right after the other, and lets those who wait go on then. *On the loop.*
    func addToBatch(_ work: any BatchedWork, for waiter: UnsafeContinuation<Void, Never>) {
        preconditionCurrent()
        batch.works.append(work)
        batch.waiters.append(waiter)
    }

    /// Runs `action` on the loop once `deadline` has come. *On the loop.*
    @discardableResult
    package func schedule(at deadline: MonotonicInstant, _ action: @escaping () -> Void) -> TimerID {
        preconditionCurrent()
        return timers.add(deadline, action)
    }

    /// Forgets a timer; nothing happens if it has fired. *On the loop.*
    package func cancel(_ timer: TimerID) {
        preconditionCurrent()
        timers.cancel(timer)
    }
}

// MARK: The thread

extension EventLoop {
    private func run() {
        threadIdentity.store(UInt(pthread_self()), ordering: .relaxed)
        pawl_name_this_thread(name)
        withUnsafeTemporaryAllocation(of: epoll_event.self, capacity: Self.eventBatch) { events in
            while !isStopping.load(ordering: .acquiring) {
                let count = epoll_wait(epoll, events.baseAddress, Int32(Self.eventBatch), timeout())
                now = .now()
                round &+= 1
                for index in 0..<max(0, Int(count)) {
                    deliver(events[index])
                    runFullBatch()
                }
                runJobs()
                while let action = timers.popDue(at: now) { action() }
                runBatch()
                finishRound()
            }
        }
        end()
        threadIdentity.store(0, ordering: .relaxed)
    }

    /// Does what was left to be done, still as the loop, until there is nothing and nothing more can come. What is
    /// registered meanwhile is forgotten with the rest.
    private func end() {
        repeat {
            runInbox()
            runJobs()
            runBatch()
            finishRound()
            for index in registrations.indices { registrations[index].receiver = nil }
            timers = TimerHeap()
        } while !(jobs.isEmpty && batch.works.isEmpty && inbox.close())
    }

    /// Milliseconds until something is due, rounded up; -1 for ever.
    private func timeout() -> Int32 {
        if !jobs.isEmpty || !batch.works.isEmpty { return 0 }
        guard let deadline = timers.nextDeadline() else { return -1 }
        let wait = deadline.nanoseconds - MonotonicInstant.now().nanoseconds
        return wait <= 0 ? 0 : Int32(min((wait + 999_999) / 1_000_000, 3_600_000))
    }

    private func deliver(_ event: epoll_event) {
        let mark = event.data.u64
        if mark == Self.wakeMark { return takeInbox() }
        let index = Int(mark & 0xFFFF_FFFF)
        guard registrations[index].generation == UInt32(mark >> 32) else { return }
        registrations[index].receiver?.receive(EventSet(rawValue: event.events))
    }

    /// Does all the work there is before anybody who waited for some goes on. What they ask for then waits for another
    /// batch, so that descriptors get their turn.
    private func runBatch() {
        guard !batch.works.isEmpty else { return }
        swap(&batch, &runningBatch)
        runningBatch.works.perform()
        runningBatch.works.removeAll(keepingCapacity: true)
        for waiter in runningBatch.waiters { resumeNow { waiter.resume() } }
        runningBatch.waiters.removeAll(keepingCapacity: true)
    }

    private func runFullBatch() {
        if batch.works.count >= Self.batchLimit { runBatch() }
    }

    private func finishRound() {
        while let receiver = finishers.popLast() { receiver.finishRound() }
    }

    private func takeInbox() {
        var count: UInt64 = 0
        _ = read(wakeDescriptor, &count, 8)
        // First the flag, then the inbox: what is put in after the inbox was emptied wakes the loop again.
        isWakePending.store(false, ordering: .sequentiallyConsistent)
        runInbox()
    }

    private func runInbox() {
        for work in inbox.takeAll() {
            perform(work)
            runFullBatch()
        }
    }

    private func perform(_ work: Inbox.Work) {
        switch work {
        case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        case .action(let action): action()
        }
    }

    /// Runs the jobs there are. Those they enqueue wait for the next round, so that descriptors get their turn.
    private func runJobs() {
        guard !jobs.isEmpty else { return }
        swap(&jobs, &runningJobs)
        for job in runningJobs {
            job.runSynchronously(on: asUnownedTaskExecutor())
            runFullBatch()
        }
        runningJobs.removeAll(keepingCapacity: true)
    }
}
