import HTTPMessages
import Primitives

/// What the model of a web view runs on. Everything that takes time or chance comes from here, so that a run can be repeated.
///
///     let environment = SimulatedWebEnvironment(
///         clock: clock, alarm: alarm, random: SeededRandom(seed: 1), network: site, behaviour: behaviour)
public struct SimulatedWebEnvironment: Sendable {
    package let clock: any WallClock
    package let alarm: any Alarm
    package let random: any RandomSource
    /// Where requests of pages go.
    package let network: any OutboundRequests
    package let behaviour: SimulatedWebBehaviour
    package let launch: TaskLaunch

    /// - Parameters:
    ///   - clock: says which cookies are over.
    ///   - alarm: lets time pass.
    ///   - random: decides every delay and every loss; from a seed, a run can be had again.
    ///   - network: where requests of pages go.
    ///   - behaviour: how slow it is, and what it loses.
    ///   - launch: begins a task. A test that moves its own clock has a list of them.
    public init(
        clock: any WallClock, alarm: any Alarm, random: any RandomSource, network: any OutboundRequests = .none,
        behaviour: SimulatedWebBehaviour = SimulatedWebBehaviour(),
        launch: @escaping TaskLaunch = { Task(operation: $0) }
    ) {
        self.clock = clock
        self.alarm = alarm
        self.random = random
        self.network = network
        self.behaviour = behaviour
        self.launch = launch
    }

    func after(_ range: ClosedRange<Int>, _ body: @escaping @Sendable () -> Void) {
        alarm.ring(after: delay(range), body)
    }

    func delay(_ range: ClosedRange<Int>) -> Duration {
        .milliseconds(range.lowerBound + below(range.count))
    }

    func happens(percent: Int) -> Bool { percent > 0 && below(100) < percent }

    private func below(_ bound: Int) -> Int {
        let number = random.bytes(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Int(number % UInt64(bound))
    }
}

/// Begins work that nobody waits for. Handed in, for a test decides itself what runs next.
public typealias TaskLaunch = @Sendable (@escaping @Sendable () async -> Void) -> Task<Void, Never>

/// How a web view behaves: delays in milliseconds, chances in percent.
///
///     var behaviour = SimulatedWebBehaviour()
///     behaviour.writing = 200...300
///     behaviour.lossAtKill = 100
public struct SimulatedWebBehaviour: Hashable, Sendable {
    /// From the start of the process pool until its stores can be read (S9).
    public var loading = 20...60
    /// Until a question is answered.
    public var reading = 1...5
    /// Until a write is seen by requests and readers (S5). One store takes its writes in order.
    public var writing = 5...40
    /// From the landing of a write until its completion.
    public var completing = 1...5
    /// From a change until observers hear of it.
    public var notifying = 1...10
    /// Until what persists is on the disk (S19).
    public var flushing = 1_000...2_000
    /// From the end of a content process until the app hears of it.
    public var terminating = 1...10
    /// How many completions of a write never come (C2).
    public var lostCompletions = 0
    /// How many of the cookies go with the content process (S11).
    public var lossAtKill = 0
    /// Whether what has expired is still read, though no request brings it, as WebKitGTK does.
    public var readsExpired = true
    /// Whether to write what is there already is told of as a change, as WebKitGTK does (C6).
    public var tellsOfIdenticalWrites = true

    /// Slow, and faithful: nothing is lost but what is under way.
    public init() {}
}
