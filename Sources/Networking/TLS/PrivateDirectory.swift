import CLinux
import Glibc

/// A directory for what only its owner may see and change. Locked while it is open, so that two processes that start at
/// once do not each make an authority there.
package final class PrivateDirectory {
    private let path: String
    private let descriptor: Int32

    /// How long another process may hold the lock: what it does there takes milliseconds.
    package static let patience = Duration.seconds(5)
    /// Between two attempts to lock.
    private static let pause = Duration.milliseconds(10)
    /// Bytes of a file at most: keys and certificates are far smaller.
    private static let greatestFileBytes = 64 << 10

    /// Makes the directory with mode 0700 if it is not there. Refuses one that somebody else could put a file into.
    package init(path: String, patience: Duration = PrivateDirectory.patience) throws(NetworkingError) {
        self.path = path
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw Self.failure("make the directory", path) }
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure("open the directory", path) }
        // Closed by `deinit` from here on, also when the initialiser throws.
        self.descriptor = descriptor
        try Self.inspect(descriptor, path, forbidden: 0o022, wanted: 0o700)
        try lock(patience: patience)
    }

    deinit {
        close(descriptor)
    }

    private func lock(patience: Duration) throws(NetworkingError) {
        let deadline = MonotonicInstant.now() + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw Self.failure("lock the directory", path) }
            guard MonotonicInstant.now() < deadline else {
                throw NetworkingError(.timedOut, "another process keeps the directory \(path) locked")
            }
            usleep(UInt32(Self.pause / .microseconds(1)))
        }
    }

    package func path(of name: String) -> String {
        path.hasSuffix("/") ? path + name : path + "/" + name
    }
}

// MARK: Files

extension PrivateDirectory {
    /// The file's bytes; `nil` when it is not there. Refuses a link and whatever others may write, or read if it is
    /// `secret`: somebody else may know, or have chosen, what is in it.
    package func read(_ name: String, secret: Bool) throws(NetworkingError) -> [UInt8]? {
        let place = path(of: name)
        // Whoever opens a pipe waits for its writer, unless told not to.
        let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard file >= 0 else {
            switch errno {
            case ENOENT: return nil
            case ELOOP: throw NetworkingError(.permissionDenied, "\(place) is a link; a copy is wanted in its place")
            default: throw Self.failure("read", place)
            }
        }
        defer { close(file) }
        let status = try Self.inspect(file, place, forbidden: secret ? 0o077 : 0o022, wanted: secret ? 0o600 : 0o644)
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw NetworkingError(.permissionDenied, "\(place) is no file")
        }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Self.failure("read", place) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= Self.greatestFileBytes else {
                throw NetworkingError(.tls, "\(place) has more than \(Self.greatestFileBytes) bytes")
            }
        }
    }

    /// Writes the file whole or not at all.
    package func write(_ bytes: [UInt8], to name: String, mode: mode_t) throws(NetworkingError) {
        let draft = name + ".new"
        unlinkat(descriptor, draft, 0)
        let file = openat(descriptor, draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
        guard file >= 0 else { throw Self.failure("write", path(of: draft)) }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + written, $0.count - written) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.failure("write", path(of: draft)) }
            written += count
        }
        // Without the last, the renaming may be forgotten when the machine fails.
        guard fsync(file) == 0, renameat(descriptor, draft, descriptor, name) == 0, fsync(descriptor) == 0 else {
            throw Self.failure("write", path(of: name))
        }
    }
}

// MARK: Refusals

extension PrivateDirectory {
    /// What is open must be the caller's own and closed to others, as far as `forbidden` says.
    @discardableResult
    private static func inspect(
        _ descriptor: Int32, _ path: String, forbidden: mode_t, wanted: mode_t
    ) throws(NetworkingError) -> stat {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure("look at", path) }
        guard status.st_uid == geteuid() else {
            throw NetworkingError(.permissionDenied, "\(path) belongs to another user")
        }
        guard status.st_mode & forbidden == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw NetworkingError(
                .permissionDenied,
                "\(path) is open to others (mode \(mode)); "
                    + "if nobody else has used it, chmod \(String(wanted, radix: 8)) \(path)")
        }
        return status
    }

    private static func failure(_ what: String, _ path: String) -> NetworkingError {
        let code = errno
        let kind: NetworkingError.Kind = code == EACCES || code == EPERM ? .permissionDenied : .system(code)
        return NetworkingError(kind, "cannot \(what) \(path): \(NetworkingError.text(of: code))")
    }
}
