import Glibc

/// What a process is told from outside.
package enum ProcessSignal: Sendable, CaseIterable {
    /// `SIGTERM`: end, in good order.
    case terminate
    /// `SIGINT`: the same, from the keyboard.
    case interrupt
    /// `SIGHUP`: read certificates and configuration again.
    case hangUp

    var number: Int32 {
        switch self {
        case .terminate: SIGTERM
        case .interrupt: SIGINT
        case .hangUp: SIGHUP
        }
    }
}
