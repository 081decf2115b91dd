import Primitives

extension EventLoopGroup: Batching {
    /// In the caller's loop, before the round ends. A caller on none of these loops has it done at once.
    package func add(_ work: any BatchedWork, for waiter: UnsafeContinuation<Void, Never>) {
        guard let loop = current else { return NoBatching().add(work, for: waiter) }
        loop.addToBatch(work, for: waiter)
    }
}
