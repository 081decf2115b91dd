import HTTPMessages
import Primitives
import Synchronization

/// The last requests of a tenant, and those who wait for the next one.
///
/// To record is to put values that are there anyway into the next place of a ring. Who waits is resumed by whoever
/// records; that the wait ends is the business of the alarm.
package final class RequestRecords: Sendable {
    private struct State {
        /// Grows up to the capacity, and then begins anew.
        var ring: [RequestRecord] = []
        /// Where the next one goes once the ring is full.
        var next = 0
        var lastNumber = 0
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private struct Waiter: Sendable {
        let isWanted: @Sendable (RequestRecord) -> Bool
        let continuation: CheckedContinuation<RequestRecord?, Never>
    }

    private let capacity: Int
    private let alarm: any Alarm
    private let state = Mutex(State())

    /// The most that a configuration may ask to be kept: they are kept in memory.
    package static let maximumCapacity = 100_000
    /// As many may wait at once.
    package static let maximumWaiterCount = 1000

    /// - Parameter capacity: how many are kept; zero: none, and nothing is recorded.
    package init(capacity: Int, alarm: any Alarm) {
        precondition((0...Self.maximumCapacity).contains(capacity), "a ring of a size that memory has")
        self.capacity = capacity
        self.alarm = alarm
    }

    package var isOn: Bool { capacity > 0 }

    func record(
        _ request: ServerRequest, target: String, response: ServerResponse, from received: RequestRecord.Beginning,
        to answered: Timestamp, passage: Passage? = nil
    ) {
        guard capacity > 0 else { return }
        // Taken out and not copied: it is large.
        var made: RequestRecord? = RequestRecord(
            received, answered: answered, request: request, target: target, response: response,
            passage: passage)
        let awaited: (RequestRecord, [Int: Waiter])? = state.withLock { state in
            guard var record = made.take() else { preconditionFailure("a lock that calls twice") }
            state.lastNumber += 1
            record.number = state.lastNumber
            let place = state.ring.count < capacity ? state.ring.count : state.next
            if place == state.ring.count {
                state.ring.append(consume record)
            } else {
                state.ring[place] = consume record
                state.next = place + 1 == capacity ? 0 : place + 1
            }
            return state.waiters.isEmpty ? nil : (state.ring[place], state.waiters)
        }
        guard let (record, waiters) = awaited else { return }
        for (id, waiter) in waiters where waiter.isWanted(record) { resume(id, returning: record) }
    }

    /// How many wait for a request.
    package var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Those that are kept and wanted, in their order.
    package func records(where isWanted: (RequestRecord) -> Bool = { _ in true }) -> [RequestRecord] {
        keptInOrder().kept.filter(isWanted)
    }

    /// What whoever asks again and again gets, and where he goes on.
    package struct Page: Sendable {
        package let records: [RequestRecord]
        /// The number of the last one that was looked at: what comes later is after it.
        package let last: Int
    }

    /// Those after a number that are kept and wanted: the first so many, or all of them.
    package func page(
        after number: Int, limit: Int? = nil, where isWanted: (RequestRecord) -> Bool = { _ in true }
    ) -> Page {
        let (kept, last) = keptInOrder()
        var found: [RequestRecord] = []
        for record in kept where record.number > number && isWanted(record) {
            found.append(record)
            if found.count == limit { return Page(records: found, last: record.number) }
        }
        return Page(records: found, last: last)
    }

    /// The last so many of those that are kept and wanted.
    package func lastPage(limit: Int?, where isWanted: (RequestRecord) -> Bool) -> Page {
        let (kept, last) = keptInOrder()
        let found = kept.filter(isWanted)
        return Page(records: Array(limit.map { found.suffix($0) } ?? found[...]), last: last)
    }

    /// What is kept and the last number, of one moment: a request that comes between two looks would be in neither.
    private func keptInOrder() -> (kept: [RequestRecord], last: Int) {
        let (ring, next, last) = state.withLock { state in (state.ring, state.next, state.lastNumber) }
        return (Array(ring[next...] + ring[..<next]), last)
    }

    /// The number of the last request so far.
    package var lastNumber: Int { state.withLock { $0.lastNumber } }

    /// The first that is wanted, of those that are kept or the next that comes; `nil` when none has come within the bound,
    /// or the task was cancelled.
    package func first(
        within bound: Duration, where isWanted: @escaping @Sendable (RequestRecord) -> Bool
    ) async throws(NoRoom) -> RequestRecord? {
        var hasRoom = true
        let id = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        let found = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                hasRoom = wait(id, Waiter(isWanted: isWanted, continuation: continuation))
                if Task.isCancelled { return resume(id, returning: nil) }
                // What came before the waiter was there has woken nobody.
                if let found = records(where: isWanted).first { return resume(id, returning: found) }
                alarm.ring(after: bound) { [weak self] in self?.resume(id, returning: nil) }
            }
        } onCancel: {
            resume(id, returning: nil)
        }
        guard hasRoom else { throw NoRoom() }
        return found
    }

    private func wait(_ id: Int, _ waiter: Waiter) -> Bool {
        let isTaken = state.withLock { state in
            guard state.waiters.count < Self.maximumWaiterCount else { return false }
            state.waiters[id] = waiter
            return true
        }
        if !isTaken { waiter.continuation.resume(returning: nil) }
        return isTaken
    }

    /// Nothing happens when somebody else was faster.
    private func resume(_ id: Int, returning record: RequestRecord?) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume(returning: record)
    }

    /// Forgets the requests. The numbers go on, and who waits waits on.
    package func removeAll() {
        // Freed outside the lock.
        let former = state.withLock { state in
            let former = state.ring
            state.ring = []
            state.next = 0
            return former
        }
        withExtendedLifetime(former) {}
    }

    /// Nobody waits any longer: the provider ends.
    package func stopWaiting() {
        let waiters = state.withLock { state in
            let waiters = state.waiters
            state.waiters = [:]
            return waiters
        }
        for waiter in waiters.values { waiter.continuation.resume(returning: nil) }
    }
}
