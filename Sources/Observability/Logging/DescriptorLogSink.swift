#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Writes lines to a file descriptor from a thread of its own, so that a slow reader of the log never holds up an
/// event loop.
///
/// Lines wait in memory up to a limit. Beyond it they are dropped and counted, and the log says how many are missing
/// once there is room again.
package final class DescriptorLogSink: LogSink, @unchecked Sendable {
    /// Bytes of finished lines that may wait for the reader.
    package static let standardBacklogBytes = 1 << 20

    // Everything below the lock is touched with the lock held only.
    private let descriptor: Int32
    private let backlogBytes: Int
    private let noticeOfLoss: @Sendable (_ count: Int) -> [UInt8]
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var waiting: [UInt8] = []
    private var dropped = 0
    private var writerIsIdle = false
    private var writerIsWriting = false
    private var writerStarted = false

    /// `noticeOfLoss` makes the line that says how many are missing.
    package init(
        descriptor: Int32, backlogBytes: Int = DescriptorLogSink.standardBacklogBytes,
        noticeOfLoss: @escaping @Sendable (_ count: Int) -> [UInt8]
    ) {
        self.descriptor = descriptor
        self.backlogBytes = backlogBytes
        self.noticeOfLoss = noticeOfLoss
        lock = .allocate(capacity: 1)
        lock.initialize(to: pthread_mutex_t())
        pthread_mutex_init(lock, nil)
        changed = .allocate(capacity: 1)
        changed.initialize(to: pthread_cond_t())
        #if canImport(Darwin)
        pthread_cond_init(changed, nil)
        #else
        // Waiting is not to be lengthened by somebody who sets the clock.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(changed, &attributes)
        pthread_condattr_destroy(&attributes)
        #endif
    }

    // The writer thread keeps the sink alive for as long as the process lives: a sink that has written is never freed.
    deinit {
        pthread_cond_destroy(changed)
        changed.deallocate()
        pthread_mutex_destroy(lock)
        lock.deallocate()
    }

    package func write(_ line: [UInt8]) {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        startWriterIfNeeded()
        guard waiting.count + line.count <= backlogBytes else {
            dropped += 1
            return
        }
        if dropped > 0 {
            waiting.append(contentsOf: noticeOfLoss(dropped))
            dropped = 0
        }
        waiting.append(contentsOf: line)
        if writerIsIdle { pthread_cond_broadcast(changed) }
    }

    package func flush(within bound: Duration) {
        var deadline = timespec()
        #if canImport(Darwin)
        clock_gettime(CLOCK_REALTIME, &deadline)
        #else
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        #endif
        let (seconds, attoseconds) = bound.components
        let nanoseconds = deadline.tv_nsec + Int(attoseconds / 1_000_000_000)
        deadline.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        guard writerStarted else { return }
        while !waiting.isEmpty || writerIsWriting {
            if pthread_cond_timedwait(changed, lock, &deadline) == ETIMEDOUT { return }
        }
    }

    private func startWriterIfNeeded() {
        guard !writerStarted else { return }
        writerStarted = true
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(self).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { argument in
                #if canImport(Darwin)
                let sink = Unmanaged<DescriptorLogSink>.fromOpaque(argument).takeRetainedValue()
                #else
                let sink = Unmanaged<DescriptorLogSink>.fromOpaque(argument!).takeRetainedValue()
                #endif
                sink.writeForEver()
                return nil
            }, retained)
        precondition(result == 0, "no thread for the log")
        pthread_detach(thread)
    }

    private func writeForEver() {
        // Signals are for the thread that waits for them.
        var everySignal = sigset_t()
        sigfillset(&everySignal)
        pthread_sigmask(SIG_BLOCK, &everySignal, nil)
        var batch: [UInt8] = []
        batch.reserveCapacity(4096)
        pthread_mutex_lock(lock)
        while true {
            while waiting.isEmpty {
                writerIsIdle = true
                pthread_cond_wait(changed, lock)
            }
            writerIsIdle = false
            swap(&batch, &waiting)
            writerIsWriting = true
            pthread_mutex_unlock(lock)
            writeAll(batch)
            batch.removeAll(keepingCapacity: batch.capacity <= 1 << 16)
            pthread_mutex_lock(lock)
            writerIsWriting = false
            // For whoever waits in `flush`.
            pthread_cond_broadcast(changed)
        }
    }

    private func writeAll(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let slice = UnsafeRawBufferPointer(rebasing: rest)
                #if canImport(Glibc)
                let written = Glibc.write(descriptor, slice.baseAddress, slice.count)
                #elseif canImport(Musl)
                let written = Musl.write(descriptor, slice.baseAddress, slice.count)
                #else
                let written = Darwin.write(descriptor, slice.baseAddress, slice.count)
                #endif
                if written > 0 {
                    rest = rest.dropFirst(written)
                } else if errno == EAGAIN {
                    var waitingForRoom = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    poll(&waitingForRoom, 1, -1)
                } else if errno != EINTR {
                    // The reader has gone. There is nobody left to tell.
                    return
                }
            }
        }
    }
}
