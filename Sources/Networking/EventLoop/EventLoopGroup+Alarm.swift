import Primitives

extension EventLoopGroup: Alarm {
    /// On one of the loops. A group that has ended rings no more.
    package func ring(after delay: Duration, _ body: @escaping @Sendable () -> Void) {
        let loop = next()
        loop.execute {
            guard loop.isCurrent else { return }
            loop.schedule(at: MonotonicInstant.now() + delay) { body() }
        }
    }
}
