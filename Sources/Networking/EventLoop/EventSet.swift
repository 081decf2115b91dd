import CLinux

/// What epoll reports about a descriptor, and what it is asked to report.
package struct EventSet: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    package static let readable = Self(rawValue: EPOLLIN.rawValue)
    package static let writable = Self(rawValue: EPOLLOUT.rawValue)
    /// The other end will send nothing more; it may still be reading.
    package static let peerFinished = Self(rawValue: EPOLLRDHUP.rawValue)
    /// Both directions are shut. Reported unasked.
    package static let hangUp = Self(rawValue: EPOLLHUP.rawValue)
    /// The connection was reset, or failed. Reported unasked.
    package static let failure = Self(rawValue: EPOLLERR.rawValue)
    /// Report changes only, not states: asked for, never reported.
    package static let edgeTriggered = Self(rawValue: 1 << 31)
}

/// Is told, on the loop's thread, when something happens to the descriptor it is registered for.
package protocol EventReceiver: AnyObject {
    func receive(_ events: EventSet)
    /// The round of the loop ends in which the receiver asked to be told of it.
    func finishRound()
}

extension EventReceiver {
    package func finishRound() {}
}
