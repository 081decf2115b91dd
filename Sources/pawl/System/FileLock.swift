#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Holds a file locked against other writers for as long as it lives. The lock goes with the process, however it ends.
final class FileLock: Sendable {
    private let descriptor: Int32

    /// Tries every `pause` until the lock is free or `patience` is used up; then throws `EWOULDBLOCK`.
    init(_ path: String, patience: Duration = .seconds(10), pause: Duration = .milliseconds(20)) throws(FileError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileError("cannot open \(path)") }
        let deadline = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            guard code == EWOULDBLOCK || code == EINTR, ContinuousClock.now < deadline else {
                close(descriptor)
                throw FileError("cannot lock \(path)", code: code)
            }
            usleep(UInt32(pause / .microseconds(1)))
        }
        self.descriptor = descriptor
    }

    deinit {
        // A process that is just being begun has a copy of the descriptor for a moment: closing ours would not do.
        _ = flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
