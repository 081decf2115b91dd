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

    /// What it shows at one moment.
    package struct Reading: Sendable, Hashable {
        package let moment: Timestamp
        package let isFrozen: Bool
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

    package var isFrozen: Bool { reading.isFrozen }

    /// Whether anybody has ever moved it: what it shows may be another time than that of the system.
    package var isMoved: Bool { isAdjusted.load(ordering: .acquiring) }

    package var reading: Reading { mode.withLock { reading(in: $0) } }

    private func reading(in mode: Mode) -> Reading {
        let isFrozen = if case .frozen = mode { true } else { false }
        return Reading(moment: now(in: mode), isFrozen: isFrozen)
    }

    /// Moves it on, or back by a negative duration; a stopped clock stays stopped.
    package func advance(by duration: Duration) {
        change { mode in move(&mode, by: duration) }
    }

    /// The same, unless that would lead out of a range: then nothing happens, and there is nothing to be read.
    package func advance(by duration: Duration, within range: ClosedRange<Timestamp>) -> Reading? {
        change { mode in
            var moved = mode
            move(&moved, by: duration)
            let reading = reading(in: moved)
            guard range.contains(reading.moment) else { return nil }
            mode = moved
            return reading
        }
    }

    private func move(_ mode: inout Mode, by duration: Duration) {
        switch mode {
        case .running(let offset): mode = .running(offset: offset + duration)
        case .frozen(let moment): mode = .frozen(moment + duration)
        }
    }

    /// Sets it; a stopped clock stays stopped.
    package func set(to moment: Timestamp) { _ = set(to: moment, isFrozen: nil) }

    /// Sets it, and stops it or lets it go on, in one step: it does not go on in between.
    ///
    /// - Parameters:
    ///   - moment: `nil`: where it is.
    ///   - isFrozen: `nil`: as it was.
    package func set(to moment: Timestamp?, isFrozen: Bool?) -> Reading {
        change { mode in
            let before = reading(in: mode)
            let isFrozen = isFrozen ?? before.isFrozen
            guard moment != nil || isFrozen != before.isFrozen else { return before }
            let moment = moment ?? before.moment
            mode = isFrozen ? .frozen(moment) : .running(offset: moment - base.now())
            return Reading(moment: moment, isFrozen: isFrozen)
        }
    }

    package func freeze() { _ = set(to: nil, isFrozen: true) }

    /// Goes on from where it was stopped.
    package func resume() { _ = set(to: nil, isFrozen: false) }

    /// Follows the other clock again, as if it had never been moved.
    package func reset() {
        change { mode in mode = .running(offset: .zero) }
    }

    private func change<Result>(_ body: (inout Mode) -> Result) -> Result {
        let (result, reading) = mode.withLock { mode in
            let result = body(&mode)
            isAdjusted.store(true, ordering: .releasing)
            return (result, self.reading(in: mode))
        }
        if let observer = observer.withLock({ $0 }) { observer(reading.moment, reading.isFrozen) }
        return result
    }
}
