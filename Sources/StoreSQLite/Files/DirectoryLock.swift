import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Says that this process has a directory: what is in it is read and made under the lock, which goes with the process,
/// however that ends.
package final class DirectoryLock: Sendable {
    private let descriptor: Mutex<Int32>
    package let directory: String

    /// Bytes of the number of a process at most.
    private static let longestNumber = 16

    /// Makes the directory if it is missing, for its owner alone.
    package init(_ directory: String) throws(SQLiteStoreError) {
        try PrivateFiles.makeDirectory(directory)
        self.directory = directory
        let path = directory + "/lock"
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw PrivateFiles.failure("cannot open \(path)") }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let code = errno
            if code == EINTR { continue }
            let holder = Self.holder(descriptor)
            close(descriptor)
            guard code == EWOULDBLOCK else { throw PrivateFiles.failure("cannot lock \(path)", code: code) }
            throw .inUse(directory: directory, process: holder)
        }
        // For whoever finds it locked. It is no harm if it cannot be written.
        let text = Array("\(getpid())\n".utf8)
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
        self.descriptor = Mutex(descriptor)
    }

    private static func holder(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: longestNumber)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self))
    }

    func release() {
        descriptor.withLock { descriptor in
            guard descriptor >= 0 else { return }
            // A process that is just being begun has a copy of the descriptor for a moment: closing ours would not do.
            _ = flock(descriptor, LOCK_UN)
            close(descriptor)
            descriptor = -1
        }
    }

    deinit { release() }
}
