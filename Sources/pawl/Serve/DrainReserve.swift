/// How the time for the end of a process is shared between the requests that still run and what comes after them, so that both
/// together keep to it.
package enum DrainReserve: Sendable {
    /// Requests may take it all.
    case nothing
    /// Requests leave a quarter: one that never ends would leave nothing.
    case quarter

    package func forRequests(of bound: Duration) -> Duration {
        switch self {
        case .nothing: bound
        case .quarter: bound - bound / 4
        }
    }

    /// What is left when the requests have taken so long.
    package func rest(of bound: Duration, after elapsed: Duration) -> Duration { max(.zero, bound - elapsed) }
}
