import Primitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Files, as far as the command line needs them.
enum FileSystem {
    /// Bytes that are read of a file at most: keys, claims and certificates are far smaller.
    static let greatestFileBytes = 8 << 20

    /// The content of a file, or of standard input for `-`.
    static func read(_ path: String, limit: Int = greatestFileBytes) throws(FileError) -> [UInt8] {
        if path == "-" { return try read(descriptor: STDIN_FILENO, name: "standard input", limit: limit) }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("cannot read \(path)") }
        defer { close(descriptor) }
        return try read(descriptor: descriptor, name: path, limit: limit)
    }

    private static func read(descriptor: Int32, name: String, limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let chunk = min(1 << 16, limit + 1 - bytes.count)
            guard chunk > 0 else { throw .tooLarge(name, limitInBytes: limit) }
            var failure: Int32 = 0
            let more = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
                let received = retrying { readBytes(descriptor, buffer.baseAddress, chunk) }
                failure = received < 0 ? errno : 0
                count = max(0, received)
            }
            guard failure == 0 else { throw FileError("cannot read \(name)", code: failure) }
            if more.isEmpty { return bytes }
            bytes += more
        }
    }

    /// Writes a file so that whoever reads it finds the old content or the new one, whatever happens meanwhile:
    /// beside it (at `temporaryPath`, if only one writer can be there at a time), synchronised, then moved over it.
    static func replace(
        _ path: String, with bytes: [UInt8], mode: mode_t, by temporaryPath: String? = nil
    ) throws(FileError) {
        let temporary = temporaryPath ?? "\(path).\(getpid()).tmp"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, mode)
        guard descriptor >= 0 else { throw FileError("cannot write \(temporary)") }
        try fill(temporary, opened: descriptor, with: bytes, mode: mode)
        guard rename(temporary, path) == 0 else {
            let failure = FileError("cannot replace \(path)")
            unlink(temporary)
            throw failure
        }
        try synchronise(directory: directory(of: path))
    }

    /// Writes a file that must not be there yet. It is there as a whole, even after the machine has failed, or not at
    /// all.
    static func create(_ path: String, with bytes: [UInt8], mode: mode_t) throws(FileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw FileError("cannot create \(path)") }
        try fill(path, opened: descriptor, with: bytes, mode: mode)
        try synchronise(directory: directory(of: path))
    }

    /// Puts the bytes on the disk and closes the file, which is gone if that fails.
    private static func fill(
        _ path: String, opened descriptor: Int32, with bytes: [UInt8], mode: mode_t
    ) throws(FileError) {
        do throws(FileError) {
            defer { close(descriptor) }
            // The mode of `open` is subject to the umask, and not applied to a leftover of the same name.
            guard fchmod(descriptor, mode) == 0 else { throw FileError("cannot protect \(path)") }
            try write(bytes, to: descriptor, name: path)
            guard fsync(descriptor) == 0 else { throw FileError("cannot write \(path)") }
        } catch {
            unlink(path)
            throw error
        }
    }

    static func write(_ bytes: [UInt8], to descriptor: Int32, name: String) throws(FileError) {
        let failure: FileError? = bytes.withUnsafeBytes { buffer in
            var rest = buffer[...]
            while !rest.isEmpty {
                let slice = UnsafeRawBufferPointer(rebasing: rest)
                let written = retrying { writeBytes(descriptor, slice.baseAddress, slice.count) }
                guard written >= 0 else { return FileError("cannot write \(name)") }
                rest = rest.dropFirst(written)
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Without this, a new name may be forgotten when the machine fails.
    private static func synchronise(directory: String) throws(FileError) {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError("cannot open \(directory)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw FileError("cannot write \(directory)") }
    }

    static func directory(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes a directory, and those above it, that nobody else may look into.
    static func createPrivateDirectory(_ path: String) throws(FileError) {
        if mkdir(path, 0o700) != 0 {
            if errno == EEXIST { return }
            guard errno == ENOENT, directory(of: path) != path else { throw FileError("cannot create \(path)") }
            try createPrivateDirectory(directory(of: path))
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw FileError("cannot create \(path)") }
        }
        try synchronise(directory: directory(of: path))
    }

    /// How many entries a directory has, counted up to a limit; none if it is not there.
    static func count(in path: String, upTo limit: Int) throws(FileError) -> Int {
        guard let entries = opendir(path) else {
            if errno == ENOENT { return 0 }
            throw FileError("cannot look into \(path)")
        }
        defer { closedir(entries) }
        // The directory itself and the one above it are entries too.
        var count = -2
        while count < limit, readdir(entries) != nil { count += 1 }
        return max(0, count)
    }

    /// Who owns a file and who may do what with it.
    struct Status {
        let owner: uid_t
        let permissions: mode_t
        let isDirectory: Bool
    }

    /// `nil` if there is nothing of that name.
    static func status(of path: String) throws(FileError) -> Status? {
        var information = stat()
        guard stat(path, &information) == 0 else {
            if errno == ENOENT { return nil }
            throw FileError("cannot look at \(path)")
        }
        return Status(
            owner: information.st_uid, permissions: information.st_mode & 0o777,
            isDirectory: information.st_mode & S_IFMT == S_IFDIR)
    }

    static func retrying(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}

// Inside the type, `read` and `write` are its own.
private func readBytes(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    read(descriptor, buffer, count)
}

private func writeBytes(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
