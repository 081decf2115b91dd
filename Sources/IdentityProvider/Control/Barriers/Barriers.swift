import HTTPMessages
import Observability
import Primitives
import Synchronization

/// The barriers of a tenant, and the requests that are held at them.
package final class Barriers: Sendable {
    private struct State {
        var barriers: [Barrier] = []
        var lastID = 0
        /// Who waits for something to happen at a barrier, by his ticket.
        var watchers: [Int: Watcher] = [:]
    }

    private struct Watcher: Sendable {
        let barrier: Int
        let isWanted: @Sendable (Barrier) -> Bool
    }

    private let state = Mutex(State())
    private let alarm: any Alarm
    private let audience: Audience
    private let events: EventLog
    private let logger: Logger
    private let room: WaitingRoom
    private let watchRoom = WaitingRoom(capacity: Barriers.maximumWatcherCount)

    /// More than these at once are no test any more. Those that are over make room.
    package static let maximumCount = 100
    /// As many may wait for something to happen at barriers; nobody else does.
    package static let maximumWatcherCount = 100

    init(alarm: any Alarm, audience: Audience, events: EventLog, logger: Logger, capacity: Int) {
        self.alarm = alarm
        self.audience = audience
        self.events = events
        self.logger = logger
        room = WaitingRoom(capacity: capacity)
    }

    /// By what it can be told from others; `nil` when there are too many.
    @discardableResult
    package func add(_ plan: BarrierPlan) -> Int? {
        precondition(plan.count > 0, "a barrier for nobody")
        return state.withLock { state in
            if state.barriers.count >= Self.maximumCount {
                guard let over = state.barriers.firstIndex(where: \.phase.isOver) else { return nil }
                state.barriers.remove(at: over)
            }
            state.lastID += 1
            state.barriers.append(Barrier(id: state.lastID, plan: plan))
            audience.set(.barriers, true)
            return state.lastID
        }
    }

    package var all: [Barrier] { state.withLock { $0.barriers } }

    package func barrier(_ id: Int) -> Barrier? { state.withLock { state in state.barriers.first { $0.id == id } } }

    /// How many wait for something to happen at a barrier.
    package var watcherCount: Int { watchRoom.count }

    /// Requests that are held now.
    package var heldCount: Int { room.count }

    // MARK: Requests

    /// Holds a request at each barrier of the checkpoint that it is for, one after the other.
    func hold(_ passage: Passage, at checkpoint: Checkpoint) async {
        guard audience.contains(.barriers) else { return }
        let wanted = state.withLock { state in
            state.barriers.filter { barrier in
                barrier.isGathering && barrier.plan.at == checkpoint && barrier.plan.filter.admits(passage)
            }
        }
        for barrier in wanted {
            let isHeld = await room.hold { ticket in
                let guest = Barrier.Guest(
                    number: passage.number, ticket: ticket, requestID: passage.request.id,
                    clientID: passage.clientID.map(KeptText.of),
                    label: passage.request.head.headerFields[BarrierPlan.labelName].map(KeptText.of))
                arrive(guest, at: barrier)
            }
            note(passage, at: barrier, isHeld: isHeld)
        }
    }

    private func note(_ passage: Passage, at met: Barrier, isHeld: Bool) {
        guard isHeld else {
            logger.warning(
                "a request was not held at its barrier: too many wait",
                [LogField("barrier", "\(met.id)"), LogField("request", passage.request.id)])
            return passage.note(BarrierMeeting(barrier: met.id, outcome: .notHeld))
        }
        // One that is gone was taken away.
        guard let barrier = barrier(met.id) else {
            return passage.note(BarrierMeeting(barrier: met.id, outcome: .left))
        }
        guard let outcome = barrier.outcome(for: passage.number) else { return }
        passage.note(BarrierMeeting(barrier: met.id, outcome: outcome))
    }

    private func arrive(_ guest: Barrier.Guest, at barrier: Barrier) {
        let isFirst = change(barrier.id) { barrier in
            let isFirst = barrier.isGathering && barrier.held.isEmpty
            return (barrier.arrive(guest), isFirst)
        }
        guard let isFirst else { return room.release(guest.ticket) }
        if isFirst { alarm.ring(after: barrier.plan.timeout) { [weak self] in self?.timeIsUp(barrier.id) } }
    }

    func passed(_ checkpoint: Checkpoint, by number: Int) {
        guard audience.contains(.barriers) else { return }
        for barrier in all where barrier.phase == .releasing {
            _ = change(barrier.id) { ($0.passed(checkpoint, by: number), ()) }
        }
    }

    private func timeIsUp(_ id: Int) { _ = change(id) { ($0.timeIsUp(), ()) } }

    // MARK: Whoever runs the test

    /// Lets those go that are there, in their order; `false` when there is no such barrier.
    package func open(_ id: Int) -> Bool { change(id) { ($0.open(), ()) } != nil }

    /// Takes one away, and lets go whoever it holds; `false` when there is none.
    package func remove(_ id: Int) -> Bool {
        guard change(id, { ($0.timeIsUp(), ()) }, isRemoval: true) != nil else { return false }
        return true
    }

    package func removeAll() {
        for barrier in all { _ = remove(barrier.id) }
        room.releaseAll()
    }

    /// Waits until a barrier is as wanted, or over, or the time is, or the task is cancelled; says how it is then.
    package func first(
        _ id: Int, within bound: Duration, where isWanted: @escaping @Sendable (Barrier) -> Bool
    ) async throws(NoRoom) -> Barrier? {
        var waited: Int?
        let isHeld = await watchRoom.hold { ticket in
            waited = ticket
            let isWaiting = state.withLock { state in
                guard let barrier = state.barriers.first(where: { $0.id == id }), !barrier.phase.isOver,
                    !isWanted(barrier)
                else { return false }
                state.watchers[ticket] = Watcher(barrier: id, isWanted: isWanted)
                return true
            }
            guard isWaiting else { return watchRoom.release(ticket) }
            alarm.ring(after: bound) { [watchRoom] in watchRoom.release(ticket) }
        }
        guard isHeld else { throw NoRoom() }
        if let waited { state.withLock { $0.watchers[waited] = nil } }
        return barrier(id)
    }

    // MARK: -

    /// Changes a barrier, releases whom it says, and tells of what has happened. `nil`: there is none.
    private func change<Result: Sendable>(
        _ id: Int, _ body: (inout Barrier) -> (tickets: [Int], Result), isRemoval: Bool = false
    ) -> Result? {
        let changed: (tickets: [Int], watchers: [Int], result: Result, news: Barrier?)? = state.withLock { state in
            guard let index = state.barriers.firstIndex(where: { $0.id == id }) else { return nil }
            let before = state.barriers[index].phase
            let (tickets, result) = body(&state.barriers[index])
            let barrier = state.barriers[index]
            if isRemoval { state.barriers.remove(at: index) }
            let watchers = state.watchers.filter { _, watcher in
                watcher.barrier == id && (isRemoval || barrier.phase.isOver || watcher.isWanted(barrier))
            }
            for ticket in watchers.keys { state.watchers[ticket] = nil }
            audience.set(.barriers, state.barriers.contains { !$0.phase.isOver })
            let isNews = !isRemoval && barrier.phase != before
            return (tickets, Array(watchers.keys), result, isNews ? barrier : nil)
        }
        guard let changed else { return nil }
        if let barrier = changed.news { tell(barrier) }
        for ticket in changed.tickets { room.release(ticket) }
        for ticket in changed.watchers { watchRoom.release(ticket) }
        return changed.result
    }

    private func tell(_ barrier: Barrier) {
        events.record(.barrier(barrier))
        guard barrier.phase == .timedOut else { return }
        logger.warning(
            "a barrier has timed out",
            [
                LogField("barrier", "\(barrier.id)"), LogField("at", barrier.plan.at.rawValue),
                LogField("came", "\(barrier.released.count) of \(barrier.plan.count)"),
            ])
    }
}
