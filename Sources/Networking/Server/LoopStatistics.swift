import Synchronization

/// A number that one thread writes and all may read: no locked instruction on the way.
struct OwnedCounter: ~Copyable, Sendable {
    private let value = Atomic<Int>(0)

    var current: Int { value.load(ordering: .relaxed) }

    /// On the owner's thread only.
    func add(_ count: Int = 1) {
        value.store(value.load(ordering: .relaxed) &+ count, ordering: .relaxed)
    }
}

/// What happened on one loop.
final class LoopStatistics: Sendable {
    let open = OwnedCounter()
    let accepted = OwnedCounter()
    let failedHandshakes = OwnedCounter()
    let requests = OwnedCounter()
    let informational = OwnedCounter()
    let successful = OwnedCounter()
    let redirections = OwnedCounter()
    let clientErrors = OwnedCounter()
    let serverErrors = OwnedCounter()
    let bytesReceived = OwnedCounter()
    let bytesSent = OwnedCounter()

    func countResponse(code: Int) {
        requests.add()
        switch code {
        case ..<200: informational.add()
        case ..<300: successful.add()
        case ..<400: redirections.add()
        case ..<500: clientErrors.add()
        default: serverErrors.add()
        }
    }

    func add(to sum: inout ServerStatistics) {
        sum.openConnections += open.current
        sum.acceptedConnections += accepted.current
        sum.failedHandshakes += failedHandshakes.current
        sum.requests += requests.current
        for (index, counter) in [
            informational.current, successful.current, redirections.current, clientErrors.current,
            serverErrors.current,
        ].enumerated() { sum.responsesByClass[index] += counter }
        sum.bytesReceived += bytesReceived.current
        sum.bytesSent += bytesSent.current
    }
}
