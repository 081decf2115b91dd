import Primitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// The files of the operating system.
package struct SystemFileCalls: FileCalls {
    package init() {}

    package func makeDirectory(_ path: String) throws(FileFault) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw .last }
    }

    package func openDirectory(_ path: String) throws(FileFault) -> OpenedFile {
        try opened(openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC))
    }

    package func names(in directory: OpenedFile) throws(FileFault) -> [String] {
        // A descriptor of its own: a stream closes the one that it was given, and remembers where it stood.
        let descriptor = openat(directory.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        guard let stream = fdopendir(descriptor) else {
            let fault = FileFault.last
            close(descriptor)
            throw fault
        }
        defer { closedir(stream) }
        var names: [String] = []
        while true {
            errno = 0
            guard let entry = readdir(stream) else {
                guard errno == 0 else { throw .last }
                return names
            }
            names.append(
                withUnsafeBytes(of: &entry.pointee.d_name) {
                    String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
                })
        }
    }

    package func create(_ name: String, in directory: OpenedFile) throws(FileFault) -> OpenedFile {
        try opened(
            openat(directory.descriptor, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
    }

    package func open(_ name: String, in directory: OpenedFile) throws(FileFault) -> OpenedFile {
        // Whoever opens a pipe waits for its writer, unless told not to.
        try opened(openat(directory.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
    }

    private func opened(_ descriptor: Int32) throws(FileFault) -> OpenedFile {
        guard descriptor >= 0 else { throw .last }
        return OpenedFile(descriptor: descriptor)
    }

    package func read(_ file: OpenedFile, upTo limit: Int) throws(FileFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: min(limit, 1 << 16))
        defer { buffer.withUnsafeMutableBytes { wipe($0) } }
        while bytes.count < limit {
            let count = pread(file.descriptor, &buffer, min(buffer.count, limit - bytes.count), off_t(bytes.count))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }

    package func write(_ bytes: [UInt8], to file: OpenedFile) throws(FileFault) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(file.descriptor, $0.baseAddress! + written, $0.count - written, off_t(written))
            }
            if count < 0, errno == EINTR { continue }
            // A disk that takes nothing and says nothing is as good as full.
            guard count != 0 else { throw FileFault(code: ENOSPC) }
            guard count > 0 else { throw .last }
            written += count
        }
    }

    package func synchronise(_ file: OpenedFile) throws(FileFault) {
        #if canImport(Darwin)
        // There `fsync` ends at the cache of the drive.
        if fcntl(file.descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        while fsync(file.descriptor) != 0 {
            guard errno == EINTR else { throw .last }
        }
    }

    package func makeReadOnly(_ file: OpenedFile) throws(FileFault) {
        guard fchmod(file.descriptor, 0o400) == 0 else { throw .last }
    }

    package func link(_ name: String, as other: String, in directory: OpenedFile) throws(FileFault) {
        guard linkat(directory.descriptor, name, directory.descriptor, other, 0) == 0 else { throw .last }
    }

    package func rename(_ name: String, to other: String, in directory: OpenedFile) throws(FileFault) {
        guard renameat(directory.descriptor, name, directory.descriptor, other) == 0 else { throw .last }
    }

    package func remove(_ name: String, in directory: OpenedFile) throws(FileFault) {
        guard unlinkat(directory.descriptor, name, 0) == 0 else { throw .last }
    }
}

// MARK: What is known of a file

extension SystemFileCalls {
    package func status(of file: OpenedFile) throws(FileFault) -> FileStatus {
        var status = stat()
        guard fstat(file.descriptor, &status) == 0 else { throw .last }
        return FileStatus(status)
    }

    package func status(of name: String, in directory: OpenedFile) throws(FileFault) -> FileStatus {
        var status = stat()
        guard fstatat(directory.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw .last }
        return FileStatus(status)
    }
}

extension FileStatus {
    fileprivate init(_ status: stat) {
        #if canImport(Darwin)
        let modified = status.st_mtimespec
        #else
        let modified = status.st_mtim
        #endif
        let kind: Kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            default: .other
            }
        self.init(
            kind: kind,
            identity: FileIdentity(
                device: UInt64(truncatingIfNeeded: status.st_dev), number: UInt64(status.st_ino),
                modifiedSeconds: Int64(modified.tv_sec), modifiedNanoseconds: Int64(modified.tv_nsec)),
            isOwn: status.st_uid == geteuid(), permissions: UInt32(status.st_mode & 0o777),
            byteCount: Int(status.st_size),
            modified: Timestamp(secondsSinceEpoch: Int64(modified.tv_sec)))
    }
}
