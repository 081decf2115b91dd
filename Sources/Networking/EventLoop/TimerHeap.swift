/// Names one timer of one loop, to cancel it by.
package struct TimerID: Hashable, Sendable {
    let sequence: UInt64
}

/// What is due, the earliest first: a binary heap. Timers with the same deadline fire in the order they were set.
struct TimerHeap {
    private struct Entry {
        let deadline: MonotonicInstant
        let id: TimerID

        func isBefore(_ other: Entry) -> Bool {
            deadline != other.deadline ? deadline < other.deadline : id.sequence < other.id.sequence
        }
    }

    private var heap: [Entry] = []
    /// A cancelled timer is missing here, and is skipped when its turn comes.
    private var actions: [TimerID: () -> Void] = [:]
    private var lastSequence: UInt64 = 0

    var count: Int { actions.count }

    mutating func add(_ deadline: MonotonicInstant, _ action: @escaping () -> Void) -> TimerID {
        lastSequence += 1
        let id = TimerID(sequence: lastSequence)
        actions[id] = action
        heap.append(Entry(deadline: deadline, id: id))
        siftUp(from: heap.count - 1)
        return id
    }

    mutating func cancel(_ id: TimerID) {
        actions[id] = nil
        // Many cancelled timers that are far from due must not pile up.
        if heap.count > 64, heap.count > 2 * actions.count {
            let live = heap.filter { actions[$0.id] != nil }
            heap.removeAll(keepingCapacity: true)
            for entry in live {
                heap.append(entry)
                siftUp(from: heap.count - 1)
            }
        }
    }

    /// When the next timer is due; `nil` when there is none.
    mutating func nextDeadline() -> MonotonicInstant? {
        while let first = heap.first {
            if actions[first.id] != nil { return first.deadline }
            removeFirst()
        }
        return nil
    }

    /// The action of the earliest timer that is due at `now`, which is no longer in the heap then.
    mutating func popDue(at now: MonotonicInstant) -> (() -> Void)? {
        while let first = heap.first, first.deadline <= now {
            removeFirst()
            if let action = actions.removeValue(forKey: first.id) { return action }
        }
        return nil
    }

    private mutating func removeFirst() {
        let last = heap.removeLast()
        guard !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) { least = child }
            if least == parent { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }

    private mutating func siftUp(from index: Int) {
        var child = index
        while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }
}
