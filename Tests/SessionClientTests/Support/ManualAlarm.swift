import Primitives
import Synchronization

/// Rings when the test says so.
final class ManualAlarm: Alarm {
    /// One bell, in the hands of the test.
    struct Arming: Sendable {
        let delay: Duration
        let ring: @Sendable () -> Void
    }

    private let armings: AsyncStream<Arming>
    private let continuation: AsyncStream<Arming>.Continuation
    private let count = Atomic<Int>(0)

    init() { (armings, continuation) = AsyncStream.makeStream() }

    func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        count.wrappingAdd(1, ordering: .relaxed)
        continuation.yield(Arming(delay: delay, ring: body))
    }

    /// How often it was armed.
    var armedCount: Int { count.load(ordering: .relaxed) }

    /// Waits until somebody has armed it, rings, and says for when it was armed.
    @discardableResult
    func ringNext() async -> Duration {
        let arming = await armed()
        arming.ring()
        return arming.delay
    }

    /// Waits until somebody has armed it; the bell is in the test's hands.
    @discardableResult
    func armed() async -> Arming {
        for await arming in armings { return arming }
        return Arming(delay: .zero) {}
    }
}

/// Rings at once, and remembers for when it was armed. It moves a clock, so that time passes for those who look at one.
final class ImmediateAlarm: Alarm {
    private let clock: ManualClock?
    private let armed = Mutex<[Duration]>([])

    private let longest: Duration?

    /// - Parameter longest: what is longer never rings: a bound that nothing comes near.
    init(moving clock: ManualClock? = nil, upTo longest: Duration? = nil) {
        self.clock = clock
        self.longest = longest
    }

    var delays: [Duration] { armed.withLock { $0 } }

    func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        armed.withLock { $0.append(delay) }
        if let longest, delay > longest { return }
        clock?.advance(by: delay)
        body()
    }
}
