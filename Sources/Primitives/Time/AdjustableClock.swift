import Synchronization

/// A clock that follows another until somebody moves it, and can be stopped.
///
///     let clock = AdjustableClock(following: SystemWallClock())
///     clock.advance(by: .seconds(3600))     // everything that follows is an hour later
///     clock.freeze()                        // and stays there
package final class AdjustableClock: WallClock {
    private enum Mode: Sendable {
        case running(offset: Duration)
        case frozen(Timestamp)
    }

    private let base: any WallClock
    private let mode = Mutex(Mode.running(offset: .zero))
    /// Whether anybody has ever moved it: until then, reading it takes no lock.
    private let isAdjusted = Atomic<Bool>(false)
    private let observer = Mutex<(@Sendable (Timestamp, _ isFrozen: Bool) -> Void)?>(nil)

    package init(following base: any WallClock) {
        self.base = base
    }

    /// Has `body` called whenever somebody has moved it, with what it shows now.
    package func onMove(_ body: @escaping @Sendable (Timestamp, _ isFrozen: Bool) -> Void) {
        observer.withLock { $0 = body }
    }

    package func now() -> Timestamp {
        guard isAdjusted.load(ordering: .acquiring) else { return base.now() }
        return mode.withLock { now(in: $0) }
    }

    private func now(in mode: Mode) -> Timestamp {
        switch mode {
        case .running(let offset): base.now() + offset
        case .frozen(let moment): moment
        }
    }

    package var isFrozen: Bool {
        mode.withLock { if case .frozen = $0 { true } else { false } }
    }

    /// Moves it on, or back by a negative duration; a stopped clock stays stopped.
    package func advance(by duration: Duration) {
        change { mode in
            switch mode {
            case .running(let offset): mode = .running(offset: offset + duration)
            case .frozen(let moment): mode = .frozen(moment + duration)
            }
        }
    }

    /// Sets it; a stopped clock stays stopped.
    package func set(to moment: Timestamp) {
        change { mode in
            switch mode {
            case .running: mode = .running(offset: moment - base.now())
            case .frozen: mode = .frozen(moment)
            }
        }
    }

    package func freeze() {
        change { mode in mode = .frozen(now(in: mode)) }
    }

    /// Goes on from where it was stopped.
    package func resume() {
        change { mode in
            if case .frozen(let moment) = mode { mode = .running(offset: moment - base.now()) }
        }
    }

    /// Follows the other clock again, as if it had never been moved.
    package func reset() {
        change { mode in mode = .running(offset: .zero) }
    }

    private func change(_ body: (inout Mode) -> Void) {
        mode.withLock { mode in
            body(&mode)
            isAdjusted.store(true, ordering: .releasing)
        }
        if let body = observer.withLock({ $0 }) { body(now(), isFrozen) }
    }
}
