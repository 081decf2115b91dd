/// Why the browser did not come back.
package indirect enum LoopbackError: Error, Hashable, Sendable {
    case badPath
    /// No socket, no thread.
    case cannotListen
    /// It waits for one answer, once.
    case alreadyUsed
    case browserNotOpened
    case loginNotStarted(LoginError)
    case timedOut
    case cancelled
    case stopped
}

extension LoopbackError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .badPath:
            "the path of a loopback redirect begins with a slash and is made of letters, digits and - . _ ~ /"
        case .cannotListen: "no port of this machine can be listened on"
        case .alreadyUsed: "a loopback redirect waits for one answer, once"
        case .browserNotOpened: "the browser could not be opened"
        case .loginNotStarted(let error): "\(error)"
        case .timedOut: "the browser did not come back in time"
        case .cancelled: "nobody waits for the browser any more"
        case .stopped: "the loopback redirect was stopped"
        }
    }
}
