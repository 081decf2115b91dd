import Primitives
import Synchronization

/// The last events of a tenant, and those who read on as they come.
///
/// Nothing is recorded before somebody has read for the first time: a provider that nobody watches pays nothing.
package final class EventLog: Sendable {
    private struct State {
        /// Grows up to the capacity, and then begins anew.
        var ring: [ProviderEvent] = []
        var next = 0
        var lastNumber = 0
        var isClosed = false
        var readers = 0
        /// The tickets of those who wait for the next one.
        var waiting: [Int] = []
    }

    private let state = Mutex(State())
    private let alarm: any Alarm
    private let clock: any WallClock
    private let audience: Audience
    private let room = WaitingRoom(capacity: EventLog.maximumReaderCount)

    /// Events that are kept: who comes again after a break finds so many.
    package static let capacity = 10_000
    /// As many may read at once.
    package static let maximumReaderCount = 100
    /// Events that are given at once.
    package static let maximumBatchCount = 1000

    init(alarm: any Alarm, clock: any WallClock, audience: Audience) {
        self.alarm = alarm
        self.clock = clock
        self.audience = audience
    }

    var isOn: Bool { audience.contains(.events) }

    /// From now on events are recorded.
    package func turnOn() { audience.set(.events, true) }

    /// The number of the last one so far.
    package var lastNumber: Int { state.withLock { $0.lastNumber } }

    /// While nobody has looked, one look at one number, and nothing is made.
    @inline(__always)
    func record(_ make: @autoclosure () -> ProviderEvent) {
        guard isOn else { return }
        keep(make())
    }

    private func keep(_ event: ProviderEvent) {
        var event = event
        event.time = clock.now()
        let waiting = state.withLock { state in
            state.lastNumber += 1
            event.number = state.lastNumber
            if state.ring.count < Self.capacity {
                state.ring.append(event)
            } else {
                state.ring[state.next] = event
                state.next = state.next + 1 == Self.capacity ? 0 : state.next + 1
            }
            defer { state.waiting = [] }
            return state.waiting
        }
        for ticket in waiting { room.release(ticket) }
    }

    /// What a reader gets, and where he goes on.
    package struct Batch: Sendable {
        package let events: [ProviderEvent]
        /// The number of the last one that was looked at.
        package let cursor: Int
        /// How many had gone that he has not seen.
        package let lost: Int
        /// Whether nothing will come any more.
        package let isOver: Bool
    }

    /// Those after a number that are kept and wanted, at once. A number from another life of the provider counts as zero.
    package func events(after number: Int, where filter: EventFilter) -> Batch {
        state.withLock { state in
            let number = number > state.lastNumber ? 0 : number
            let oldest = state.lastNumber - state.ring.count
            var cursor = max(number, oldest)
            let lost = cursor - number
            var found: [ProviderEvent] = []
            while cursor < state.lastNumber, found.count < Self.maximumBatchCount {
                let index = (state.next + cursor - oldest) % max(state.ring.count, 1)
                if filter.admits(state.ring[index]) { found.append(state.ring[index]) }
                cursor += 1
            }
            return Batch(events: found, cursor: cursor, lost: lost, isOver: state.isClosed)
        }
    }

    /// The same; when there is none, waits for one, until the time is over.
    package func events(after number: Int, where filter: EventFilter, until deadline: Deadline) async -> Batch {
        var cursor = number
        while true {
            let batch = events(after: cursor, where: filter)
            guard batch.events.isEmpty, batch.lost == 0, !batch.isOver, !deadline.isOver, !Task.isCancelled else {
                return batch
            }
            cursor = batch.cursor
            let seen = cursor
            var wasHeld = false
            await room.hold { ticket in
                wasHeld = true
                let mayWait = state.withLock { state in
                    guard state.lastNumber == seen, !state.isClosed, !deadline.isOver else { return false }
                    state.waiting.append(ticket)
                    return true
                }
                if !mayWait { room.release(ticket) }
            }
            // Without room nobody waits, and nobody turns in a circle.
            if !wasHeld { return events(after: cursor, where: filter) }
        }
    }

    /// A moment after which nobody waits any longer for the next event.
    package func deadline(after bound: Duration) -> Deadline {
        let deadline = Deadline()
        alarm.ring(after: bound) { [weak self] in
            deadline.pass()
            self?.wake()
        }
        return deadline
    }

    private func wake() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for ticket in waiting { room.release(ticket) }
    }

    /// Takes one of the places for those who read on; `false` when there is none.
    package func enter() -> Bool {
        state.withLock { state in
            guard state.readers < Self.maximumReaderCount, !state.isClosed else { return false }
            state.readers += 1
            return true
        }
    }

    package func leave() { state.withLock { $0.readers -= 1 } }

    package var readerCount: Int { state.withLock { $0.readers } }

    /// Forgets what has happened. The numbers go on, and who reads reads on.
    func reset() {
        let former = state.withLock { state in
            let former = state.ring
            state.ring = []
            state.next = 0
            return former
        }
        withExtendedLifetime(former) {}
        record(ProviderEvent(.stateReset))
    }

    /// Nothing happens any more: the provider ends.
    func close() {
        state.withLock { $0.isClosed = true }
        wake()
        room.releaseAll()
    }

    /// Whether a time is over.
    package final class Deadline: Sendable {
        private let value = Atomic<Bool>(false)

        package var isOver: Bool { value.load(ordering: .acquiring) }

        fileprivate func pass() { value.store(true, ordering: .releasing) }
    }
}
