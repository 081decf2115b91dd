import HTTPMessages
import HTTPWire
import Observability
import Primitives

/// A server's part on one loop: its connections there, and what they share. Confined to the loop.
final class ServerLoop: @unchecked Sendable {
    let loop: EventLoop
    let configuration: ServerConfiguration
    let handler: any RequestHandler
    let logger: Logger
    let bodyBudget: BodyBudget
    let statistics = LoopStatistics()
    let serialiser = ResponseSerialiser()
    /// Where every read goes first; what of it must be kept is copied.
    let readBuffer: UnsafeMutableRawBufferPointer

    private let clock: any WallClock
    @exclusivity(unchecked) private var ids: RequestIDs
    @exclusivity(unchecked) private var date = DateField()
    @exclusivity(unchecked) private var dateRound: UInt64 = .max
    private var connections: [ServerConnection] = []
    @exclusivity(unchecked) private var idleWorkers: [HandlerWorker] = []
    private var hasEnded = false
    private var sweep: TimerID?
    private var isDraining = false
    private var drained: CheckedContinuation<Int, Never>?
    private let shortestDeadline: Duration

    private static let readBufferBytes = 64 << 10
    /// Workers that are kept though they have nothing to do.
    private static let idleWorkers = 256
    /// Sweeps are at least this far apart.
    private static let sweepInterval = Duration.milliseconds(10)

    init(
        loop: EventLoop, configuration: ServerConfiguration, bodyBudget: BodyBudget, handler: any RequestHandler,
        logger: Logger, clock: any WallClock, random: some RandomSource
    ) {
        self.loop = loop
        self.configuration = configuration
        self.bodyBudget = bodyBudget
        self.handler = handler
        self.logger = logger
        self.clock = clock
        ids = RequestIDs(random: random)
        readBuffer = .allocate(byteCount: Self.readBufferBytes, alignment: 64)
        let deadlines = configuration.deadlines
        shortestDeadline = [
            deadlines.head, deadlines.body, deadlines.idle, deadlines.write, deadlines.lingering, deadlines.drainGrace,
        ].min()!
    }

    deinit {
        readBuffer.deallocate()
    }

    func nextRequestID() -> RequestID { ids.next() }

    /// The value of `Date`: the clock is asked once per round of the loop.
    func dateBytes() -> [UInt8] {
        if dateRound != loop.round {
            dateRound = loop.round
            date.update(to: clock.now())
        }
        return date.bytes
    }

    // MARK: Handlers

    /// Has the handler run, on this loop.
    func run(_ assignment: HandlerWorker.Assignment) {
        if let worker = idleWorkers.popLast() {
            worker.wake(assignment)
        } else {
            HandlerWorker(server: self).begin(assignment)
        }
    }

    /// Whether a worker that has nothing to do is to wait for more.
    func keep(_ worker: HandlerWorker) -> Bool {
        guard !hasEnded, idleWorkers.count < Self.idleWorkers else { return false }
        idleWorkers.append(worker)
        return true
    }

    private func endWorkers() {
        hasEnded = true
        let workers = idleWorkers
        idleWorkers = []
        for worker in workers { worker.wake(nil) }
    }

    // MARK: Connections

    /// Takes over a connection that was accepted. `refused` ones are told so and ended.
    func adopt(_ transport: SocketTransport, peer: ServerRequest.Peer, isRefused: Bool = false) {
        let connection = ServerConnection(server: self, transport: transport, peer: peer)
        connection.index = connections.count
        connections.append(connection)
        statistics.open.add()
        do {
            try loop.register(
                transport.descriptor, interest: [.readable, .writable, .peerFinished, .edgeTriggered],
                receiver: connection)
        } catch {
            logger.error("cannot wait for a connection", [LogField("reason", error.description)])
            return connection.close()
        }
        if isRefused {
            connection.state.refuse(.tooManyConnections)
            connection.pump()
        } else {
            statistics.accepted.add()
            if isDraining { connection.drain() }
        }
        if sweep == nil { scheduleSweep(at: loop.now + shortestDeadline) }
    }

    func remove(_ connection: ServerConnection) {
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
        statistics.open.add(-1)
        onClose()
        if connections.isEmpty, let drained { endDraining(drained, cutOff: 0) }
    }

    /// Called for every connection that has ended.
    var onClose: () -> Void = {}

    // MARK: Deadlines

    private func scheduleSweep(at moment: MonotonicInstant) {
        sweep = loop.schedule(at: moment) { [weak self] in self?.sweepDeadlines() }
    }

    /// Deals with what is overdue. The next sweep is when the next deadline comes, or would come if it were set just
    /// after this one.
    private func sweepDeadlines() {
        let now = loop.now
        var next = now + shortestDeadline
        for connection in connections where connection.deadline <= now { connection.deadlinePassed(at: now) }
        for connection in connections { next = min(next, connection.deadline) }
        sweep = nil
        if !connections.isEmpty { scheduleSweep(at: max(next, now + Self.sweepInterval)) }
    }

    // MARK: The end

    /// Ends the connections that do nothing, lets the others finish, and cuts off those that have not by `deadline`.
    /// Returns how many were.
    func drain(until deadline: MonotonicInstant) async -> Int {
        await withCheckedContinuation { continuation in
            loop.execute { self.beginDraining(until: deadline, continuation) }
        }
    }

    private func beginDraining(until deadline: MonotonicInstant, _ continuation: CheckedContinuation<Int, Never>) {
        isDraining = true
        for connection in connections { connection.drain() }
        guard !connections.isEmpty else { return endDraining(continuation, cutOff: 0) }
        drained = continuation
        // The grace of the fresh ones may end before the sweep that was planned.
        if let sweep { loop.cancel(sweep) }
        scheduleSweep(at: loop.now + Self.sweepInterval)
        loop.schedule(at: deadline) { [weak self] in self?.cutOffAll() }
    }

    private func cutOffAll() {
        guard let continuation = drained else { return }
        drained = nil
        let count = connections.count
        for connection in connections { connection.reset() }
        endDraining(continuation, cutOff: count)
    }

    private func endDraining(_ continuation: CheckedContinuation<Int, Never>, cutOff count: Int) {
        drained = nil
        endWorkers()
        continuation.resume(returning: count)
    }
}
