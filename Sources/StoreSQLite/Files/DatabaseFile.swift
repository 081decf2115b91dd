#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// The file of a database: made whole or not at all, so that one that is there and empty has been cut off.
enum DatabaseFile {
    /// What SQLite puts beside a database while it is open.
    private static let log = "-wal"
    private static let companions = [log, "-shm", "-journal"]

    /// Sees to it that there is a sound database of the present form. For whoever has the directory for himself.
    static func prepare(
        _ path: String, _ seal: RecordSeal, _ tell: (StoreNotice) -> Void
    ) throws(SQLiteStoreError) {
        guard try !isMissing(path), let bytes = try size(of: path) else { return try make(path, seal) }
        guard bytes > 0 else { throw .damaged(path: path, reason: "the database is empty: it was cut off") }
        try PrivateFiles.makeFile(path)
        try opening(path) { (connection) throws(SQLiteStoreError) in
            try Schema.bringUpToDate(connection, path, seal, tell)
        }
    }

    /// Whether there is none yet. One that is gone and has left its log behind is none that may be made anew.
    static func isMissing(_ path: String) throws(SQLiteStoreError) -> Bool {
        guard try size(of: path) == nil else { return false }
        guard try size(of: path + log) ?? 0 == 0 else {
            throw .damaged(path: path, reason: "the database is gone, and its log is there")
        }
        return true
    }

    private static func make(_ path: String, _ seal: RecordSeal) throws(SQLiteStoreError) {
        let draft = path + ".new"
        for name in [""] + companions { unlink(draft + name) }
        try PrivateFiles.makeFile(draft)
        try opening(draft) { (connection) throws(SQLiteStoreError) in
            do throws(SQLiteFailure) { try Schema.make(connection, seal) } catch {
                throw SQLiteStoreError(error, path: path)
            }
        }
        // It has no log any more: whoever closes a database last takes that in.
        try PrivateFiles.synchronise(draft)
        guard rename(draft, path) == 0 else { throw PrivateFiles.failure("cannot make \(path)") }
        try PrivateFiles.synchronise(PrivateFiles.directory(of: path), isDirectory: true)
    }

    private static func opening(
        _ path: String, _ body: (Connection) throws(SQLiteStoreError) -> Void
    ) throws(SQLiteStoreError) {
        let connection: Connection
        do throws(SQLiteFailure) {
            connection = try Connection(path, for: .writing)
        } catch {
            throw SQLiteStoreError(error, path: path)
        }
        try body(connection)
    }

    /// `nil`: there is none.
    static func size(of path: String) throws(SQLiteStoreError) -> Int64? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            guard errno == ENOENT else { throw PrivateFiles.failure("cannot look at \(path)") }
            return nil
        }
        return Int64(status.st_size)
    }
}
