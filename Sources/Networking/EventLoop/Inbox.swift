import Synchronization

/// Work that other threads leave for a loop: many may put in, one takes everything out. No lock. Once it is closed,
/// nothing more can be put in, and nothing was lost.
final class Inbox: Sendable {
    enum Work {
        case job(UnownedJob)
        case action(@Sendable () -> Void)
    }

    private final class Node {
        let work: Work
        var next: Unmanaged<Node>?

        init(_ work: Work) {
            self.work = work
        }
    }

    // The last one put in, as the address of a retained node, or one of the marks. A stack that is only ever emptied
    // whole has no ABA problem. Both ends acquire and release: whoever puts in after the inbox was emptied sees what
    // the loop had done before, the flag that it wants to be woken among it.
    private let head = Atomic<UInt>(emptyMark)

    private static let emptyMark: UInt = 0
    /// No node has this address.
    private static let closedMark: UInt = 1

    init() {}

    deinit {
        if !isClosed { _ = takeAll() }
    }

    var isClosed: Bool { head.load(ordering: .acquiring) == Self.closedMark }

    /// `false` when the inbox is closed.
    func put(_ work: Work) -> Bool {
        let node = Unmanaged.passRetained(Node(work))
        let address = UInt(bitPattern: node.toOpaque())
        var current = head.load(ordering: .relaxed)
        while current != Self.closedMark {
            node._withUnsafeGuaranteedRef { $0.next = Self.node(at: current) }
            let (exchanged, original) = head.weakCompareExchange(
                expected: current, desired: address, successOrdering: .acquiringAndReleasing, failureOrdering: .relaxed)
            if exchanged { return true }
            current = original
        }
        node.release()
        return false
    }

    /// Closes the inbox, unless there is something in it.
    func close() -> Bool {
        head.compareExchange(
            expected: Self.emptyMark, desired: Self.closedMark, ordering: .acquiringAndReleasing
        ).exchanged
    }

    /// Everything that was put in so far, the oldest first. Not to be called once the inbox is closed.
    func takeAll() -> [Work] {
        var next = Self.node(at: head.exchange(Self.emptyMark, ordering: .acquiringAndReleasing))
        var work: [Work] = []
        while let node = next {
            let owned = node.takeRetainedValue()
            work.append(owned.work)
            next = owned.next
        }
        work.reverse()
        return work
    }

    private static func node(at address: UInt) -> Unmanaged<Node>? {
        UnsafeRawPointer(bitPattern: address).map(Unmanaged.fromOpaque)
    }
}
