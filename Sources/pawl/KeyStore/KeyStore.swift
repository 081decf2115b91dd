import IdentityProvider
import JOSE
import Primitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Keys in a directory: one file that only its owner may read, replaced as a whole, by one writer at a time.
///
/// Readers need no lock: they find the file as it was before a change or as it is after it, even if the writer is killed
/// in between.
struct KeyStore: Sendable {
    let directory: String

    var file: String { directory + "/keys.json" }
    private var lock: String { directory + "/lock" }
    /// Only the holder of the lock writes here, so whatever a killed writer left is overwritten by the next one.
    private var temporary: String { directory + "/keys.json.tmp" }

    /// The keys as they are kept; none if there is no file yet.
    func load() throws(KeyStoreError) -> KeyRing.State {
        guard let status = try filing({ () throws(FileError) in try FileSystem.status(of: file) }) else {
            return KeyRing.State()
        }
        // Whoever may write to the directory may put another file there.
        try requirePrivacy(of: directory, forbidden: 0o022, wanted: 0o700)
        try requirePrivacy(of: file, status, forbidden: 0o077, wanted: 0o600)
        let limit = KeyStoreDocument.limits.bytes
        let bytes = try filing { () throws(FileError) in try FileSystem.read(file, limit: limit) }
        do throws(KeyStoreDocument.Problem) {
            return try KeyStoreDocument.read(bytes)
        } catch {
            throw .malformed(path: file, reason: error.reason)
        }
    }

    /// Changes the keys: what `change` makes of those that are there is kept. Makes the directory if it is missing.
    @discardableResult
    func update<Result>(
        _ change: (inout KeyRing.State) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try filing { () throws(FileError) in try FileSystem.createPrivateDirectory(directory) }
        try requirePrivacy(of: directory, forbidden: 0o022, wanted: 0o700)
        let held: FileLock
        do throws(FileError) {
            held = try FileLock(lock)
        } catch {
            throw error.code == EWOULDBLOCK ? .busy(path: directory) : .file(error)
        }
        defer { withExtendedLifetime(held) {} }
        var state = try load()
        let result = try change(&state)
        let bytes = KeyStoreDocument.write(state)
        // What could not be read again would lock everybody out of the keys.
        do throws(KeyStoreDocument.Problem) {
            _ = try KeyStoreDocument.read(bytes)
        } catch {
            throw .unreadable(path: file, reason: error.reason)
        }
        try filing { () throws(FileError) in
            try FileSystem.replace(file, with: bytes, mode: 0o600, by: temporary)
        }
        return result
    }

    /// Removes the directory, unless somebody has put something else into it. For keys that are of no more use: those of a
    /// process that is killed meanwhile may be there still.
    func removeDirectory() {
        for path in [file, temporary, lock] { unlink(path) }
        rmdir(directory)
    }

    private func requirePrivacy(
        of path: String, _ known: FileSystem.Status? = nil, forbidden: mode_t, wanted: mode_t
    ) throws(KeyStoreError) {
        var found = known
        if found == nil { found = try filing { () throws(FileError) in try FileSystem.status(of: path) } }
        guard let status = found else { throw .file(FileError("cannot look at \(path)", code: ENOENT)) }
        guard status.owner == geteuid() else { throw .ownedBySomebodyElse(path: path) }
        guard status.permissions & forbidden == 0 else {
            throw .openToOthers(path: path, permissions: status.permissions, wanted: wanted)
        }
    }

    private func filing<Result>(_ body: () throws(FileError) -> Result) throws(KeyStoreError) -> Result {
        do throws(FileError) { return try body() } catch { throw .file(error) }
    }
}
