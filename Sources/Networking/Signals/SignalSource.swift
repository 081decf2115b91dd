import CLinux
import Glibc
import Synchronization

/// The signals that the process is sent, as they come, instead of what they would do by themselves.
///
///     for await signal in try SignalSource([.terminate, .hangUp], on: group.next()).signals { … }
///
/// There is one for the process: the last one made gets the signals.
package final class SignalSource: Sendable {
    package let signals: AsyncStream<ProcessSignal>
    private let receiver: PipeReceiver

    /// Signals that nobody has taken yet; the oldest go first.
    private static let unreadSignals = 64

    /// Takes these signals over; the others do what they did.
    package init(_ wanted: Set<ProcessSignal>, on loop: EventLoop) throws(NetworkingError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw NetworkingError(systemCall: "pipe") }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: ProcessSignal.self, bufferingPolicy: .bufferingNewest(Self.unreadSignals))
        signals = stream
        let receiver = PipeReceiver(loop: loop, readEnd: ends[0], writeEnd: ends[1], continuation: continuation)
        self.receiver = receiver
        signalPipe.store(ends[1], ordering: .releasing)
        loop.execute { receiver.start() }
        for signal in wanted {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = noteSignal
            action.sa_flags = SA_RESTART
            sigaction(signal.number, &action, nil)
        }
    }

    /// Stops listening: the stream ends. What is sent from then on is ignored.
    package func stop() {
        receiver.stop()
    }
}

/// Where the handler writes; -1 when there is nobody to tell. Stored to before any handler is installed, so that no
/// handler is the first to touch it and runs its initialiser.
private let signalPipe = Atomic<Int32>(-1)

/// Does the one thing that a signal handler may do (signal-safety(7)): leaves a byte in a pipe.
private func noteSignal(_ number: Int32) {
    let code = errno
    let pipe = signalPipe.load(ordering: .acquiring)
    if pipe >= 0 {
        var byte = UInt8(truncatingIfNeeded: number)
        _ = write(pipe, &byte, 1)
    }
    errno = code
}

/// Reads the pipe on a loop.
private final class PipeReceiver: EventReceiver, @unchecked Sendable {
    private let loop: EventLoop
    private let readEnd: Int32
    private let writeEnd: Int32
    private let continuation: AsyncStream<ProcessSignal>.Continuation
    // Confined to the loop.
    private var isRegistered = false

    init(
        loop: EventLoop, readEnd: Int32, writeEnd: Int32, continuation: AsyncStream<ProcessSignal>.Continuation
    ) {
        self.loop = loop
        self.readEnd = readEnd
        self.writeEnd = writeEnd
        self.continuation = continuation
    }

    func start() {
        do {
            try loop.register(readEnd, interest: .readable, receiver: self)
            isRegistered = true
        } catch {
            continuation.finish()
        }
    }

    func receive(_ events: EventSet) {
        var byte: UInt8 = 0
        while read(readEnd, &byte, 1) == 1 {
            if let signal = ProcessSignal.allCases.first(where: { $0.number == Int32(byte) }) {
                continuation.yield(signal)
            }
        }
    }

    func stop() {
        _ = signalPipe.compareExchange(expected: writeEnd, desired: -1, ordering: .acquiringAndReleasing)
        loop.execute { [self] in
            guard isRegistered else { return }
            isRegistered = false
            loop.deregister(readEnd)
            close(readEnd)
            // The other end stays open: a handler that has just read its number may still write there.
            continuation.finish()
        }
    }
}
