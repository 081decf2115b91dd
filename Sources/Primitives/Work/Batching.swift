/// Work of which several pieces are done one right after the other, or all at once.
package protocol BatchedWork: AnyObject, Sendable {
    /// What the work is done with, where several pieces that are done with it take less time at once; `nil` where they do not.
    var tool: AnyObject? { get }

    /// Does the work, and keeps what came of it for whoever waits. Called once, and waits for nothing.
    func perform()

    /// Does all of this at once, in place of ``perform()``: this piece is among it, and each was made by the same type for the
    /// same tool.
    func perform(_ all: [any BatchedWork])
}

extension BatchedWork {
    package var tool: AnyObject? { nil }

    package func perform(_ all: [any BatchedWork]) {
        for work in all { work.perform() }
    }
}

extension [any BatchedWork] {
    /// Does a batch: like with like, in whatever order.
    package func perform() {
        var rest = self[...]
        while let first = rest.popFirst() {
            let tool = first.tool
            let like = tool == nil ? [] : rest.filter { $0.tool === tool }
            guard !like.isEmpty else {
                first.perform()
                continue
            }
            rest.removeAll { $0.tool === tool }
            first.perform([first] + like)
        }
    }
}

/// Does the like work of many tasks one right after the other, where each task by itself would do it amid much else.
///
/// A processor is much faster in what it has just done, for the code and its tables are at hand. What takes little time and
/// needs much at hand, such as a signature over a curve, is worth waiting for until the requests at hand have come as far.
///
/// Whoever has work waits for it:
///
///     await withUnsafeContinuation { batches.add(work, for: $0) }
///
/// Handed in like the time itself: when a batch is over, only an event loop knows.
package protocol Batching: Sendable {
    /// Has the work done, once, and then lets the task go on that waits for it, once: perhaps before this returns, and with no
    /// lock held.
    func add(_ work: any BatchedWork, for waiter: UnsafeContinuation<Void, Never>)
}

/// Does everything at once: where there is no loop, there is nobody to be done with.
package struct NoBatching: Batching {
    package init() {}

    package func add(_ work: any BatchedWork, for waiter: UnsafeContinuation<Void, Never>) {
        work.perform()
        waiter.resume()
    }
}
