import Synchronization

/// Says that something has happened.
final class Signal: Sendable {
    private let state = Mutex(false)
    var isGiven: Bool { state.withLock { $0 } }
    func give() { state.withLock { $0 = true } }
}
