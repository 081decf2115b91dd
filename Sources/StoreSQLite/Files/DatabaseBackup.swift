import IdentityProvider

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Copies a database while somebody may be writing it: the copy is what was committed at one moment, packed.
package enum DatabaseBackup {
    /// The database of `directory`, to a file that must not be there yet. It is there whole or not at all, and for its owner
    /// alone.
    package static func copy(directory: String, to target: String) throws(SQLiteStoreError) {
        let path = directory + "/" + SQLiteEngine.fileName
        guard let bytes = try DatabaseFile.size(of: path) else { throw .missing(path: path) }
        guard bytes > 0 else { throw .damaged(path: path, reason: "the database is empty: it was cut off") }
        guard try DatabaseFile.size(of: target) == nil else { throw .exists(path: target) }
        let draft = "\(target).\(getpid()).new"
        unlink(draft)
        defer { unlink(draft) }
        try PrivateFiles.makeFile(draft)
        let connection: Connection
        do throws(SQLiteFailure) {
            connection = try Connection(path, for: .lookingOnly)
        } catch {
            throw SQLiteStoreError(error, path: path)
        }
        try Schema.version(of: connection, path)
        do throws(SQLiteFailure) {
            try connection.once("VACUUM INTO ?1", [.text(draft)]) { statement throws(SQLiteFailure) in
                _ = try statement.step()
            }
        } catch {
            // What has no room is the copy.
            if case .database(let problem) = error, problem.isFull { throw SQLiteStoreError(error, path: target) }
            throw SQLiteStoreError(error, path: path)
        }
        try check(draft, of: path)
        try PrivateFiles.synchronise(draft)
        // Fails where somebody else has made a file of that name meanwhile.
        guard link(draft, target) == 0 else {
            if errno == EEXIST { throw .exists(path: target) }
            throw PrivateFiles.failure("cannot make \(target)")
        }
        try PrivateFiles.synchronise(PrivateFiles.directory(of: target), isDirectory: true)
    }

    /// A copy of what is damaged is no copy.
    private static func check(_ draft: String, of path: String) throws(SQLiteStoreError) {
        do throws(SQLiteFailure) {
            let finding = try Connection(draft, for: .lookingOnly).text("PRAGMA integrity_check(1)")
            guard finding == "ok" else {
                throw .refused(.unavailable(reason: finding))
            }
        } catch {
            throw .damaged(path: path, reason: "the copy is not sound: \(error.storeError)")
        }
    }
}
