import CLinux
import Glibc

/// The loops of a process, as many as it has cores unless told otherwise.
package final class EventLoopGroup: Sendable {
    package let loops: [EventLoop]
    private let turns = Turns()

    /// Starts the loops. A broken pipe is an error of the write from then on, not the end of the process.
    package init(count: Int = EventLoopGroup.availableCores) throws(NetworkingError) {
        precondition(count > 0, "a group has at least one loop")
        ignoreBrokenPipes()
        var loops: [EventLoop] = []
        do {
            for index in 0..<count { loops.append(try EventLoop(name: "pawl-loop-\(index)")) }
        } catch {
            for loop in loops { loop.stop() }
            throw error
        }
        self.loops = loops
    }

    deinit {
        shutdown()
    }

    /// Ends the threads. Servers and clients on these loops must have ended before.
    package func shutdown() {
        for loop in loops { loop.stop() }
    }

    /// The loops in turn.
    package func next() -> EventLoop { turns.next(among: loops) }

    /// The loop whose thread the caller is on, if it is one of these.
    package var current: EventLoop? {
        loops.first { $0.isCurrent }
    }

    /// Cores that this process may run on.
    package static var availableCores: Int { Int(pawl_available_cores()) }
}

/// A write to a connection that the other end has closed must be an error of that write, not the end of the process.
private func ignoreBrokenPipes() {
    signal(SIGPIPE, SIG_IGN)
}
