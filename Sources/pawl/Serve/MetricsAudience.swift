import HTTPMessages

/// Who may read `/metrics`, which names every client.
package enum MetricsAudience: String, CaseIterable, Sendable {
    /// Whoever connects from this machine.
    case loopback
    case any

    func includes(_ peer: ServerRequest.Peer) -> Bool { self == .any || peer.isLoopback }
}
