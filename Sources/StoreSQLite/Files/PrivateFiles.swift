#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Directories and files that nobody but their owner may look into.
enum PrivateFiles {
    static func failure(_ attempt: String, code: Int32 = errno) -> SQLiteStoreError {
        .file("\(attempt): \(String(cString: strerror(code)))")
    }

    /// Makes a directory, and those above it, or sees to it that the one that is there is closed to others.
    static func makeDirectory(_ path: String) throws(SQLiteStoreError) {
        try create(path)
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure("cannot look at \(path)") }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw .noDirectory(path: path) }
        try requirePrivacy(of: path, forbidden: 0o077, wanted: 0o700)
    }

    private static func create(_ path: String) throws(SQLiteStoreError) {
        if mkdir(path, 0o700) != 0 {
            if errno == EEXIST { return }
            guard errno == ENOENT, directory(of: path) != path else {
                throw failure("cannot make the directory \(path)")
            }
            try create(directory(of: path))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw failure("cannot make the directory \(path)")
            }
        }
        // Without this the name may be gone when the power has failed, and with it all that was kept there.
        try synchronise(directory(of: path), isDirectory: true)
    }

    /// Makes an empty file, or sees to it that the one that is there is closed to others. SQLite gives the files that it
    /// puts beside it the same permissions.
    static func makeFile(_ path: String) throws(SQLiteStoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("cannot open \(path)") }
        close(descriptor)
        try requirePrivacy(of: path, forbidden: 0o077, wanted: 0o600)
    }

    private static func requirePrivacy(
        of path: String, forbidden: mode_t, wanted: mode_t
    ) throws(SQLiteStoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure("cannot look at \(path)") }
        guard status.st_uid == geteuid() else { throw .ownedBySomebodyElse(path: path) }
        guard status.st_mode & forbidden == 0 else {
            throw .openToOthers(path: path, permissions: status.st_mode & 0o777, wanted: wanted)
        }
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Puts a file on the disk.
    static func synchronise(_ path: String, isDirectory: Bool = false) throws(SQLiteStoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (isDirectory ? O_DIRECTORY : 0))
        guard descriptor >= 0 else { throw failure("cannot open \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("cannot write \(path)") }
    }
}
