import Primitives
import Synchronization

/// A session in a directory that an app and its extensions, or several processes, share: encrypted, closed to other users,
/// whole after whatever ends a process or a machine.
///
///     let store = try EncryptedFileStore(group: "team.example.app", clock: clock)
///
/// Processes neither lock nor wait for one another: each version is a file of its own, which one writer can make. The
/// directory has mode 0700 and its files 0600; where that is not so, or a file is a link or somebody else's, the store says
/// so and does nothing. Beside the version that is kept there is the one before it, encrypted alike; it goes with the next.
///
/// It notices every change to a file, also an old one under a new name, or one of another store. It cannot notice that the
/// latest file was removed, or the whole directory put back to what it was: nothing in there knows better.
public final class EncryptedFileStore: SessionStore {
    /// A session takes a few thousand.
    package static let greatestPayloadByteCount = 1 << 20

    package let files: VersionedFiles
    /// By which file a version is known that was read or written here.
    private let latest = Mutex<(version: UInt64, identity: FileIdentity)?>(nil)

    ///
    ///     let store = EncryptedFileStore(directory: path, name: "work", clock: clock)
    ///
    /// - Parameters:
    ///   - directory: made with mode 0700 when something is written, if it is not there.
    ///   - key: what the files are encrypted with.
    ///   - name: letters, digits, `-` and `_`, up to 64: a directory has room for more than one store.
    ///   - clock: drafts of processes that were killed are removed by it, when they are a day old.
    ///   - random: for nonces and keys.
    public convenience init(
        directory: String, name: String = "session", key: StoreKey = .file, clock: any WallClock,
        random: any RandomSource = SystemRandom()
    ) {
        self.init(
            directory: directory, name: name, key: key, clock: clock, random: random, calls: SystemFileCalls())
    }

    /// With calls of one's own in the place of those to the system.
    package init(
        directory: String, name: String = "session", key: StoreKey = .file, clock: any WallClock,
        random: any RandomSource = SystemRandom(), calls: any FileCalls
    ) {
        precondition(VersionedFiles.isName(name), "letters, digits, - and _, up to 64")
        files = VersionedFiles(
            directory: directory, name: name, purpose: "pawl-session", key: key, clock: clock, random: random,
            calls: calls, greatestPayloadByteCount: Self.greatestPayloadByteCount)
    }

    /// The latest version; `nil`: there is none, and never was.
    public func read() async throws(SessionStoreError) -> StoredEntry? {
        guard let (entry, identity) = try files.read() else { return nil }
        note(entry.version, identity)
        return entry
    }

    /// On the disk when it returns, and readable by whoever shares the directory.
    public func write(_ payload: [UInt8], over version: UInt64?) async throws(SessionStoreError) -> StoreOutcome {
        guard let written = try files.write(payload, over: version) else { return .conflict }
        note(written.version, written.identity)
        return .written(written.version)
    }

    /// A look at the directory, without decrypting anything.
    public func isCurrent(_ version: UInt64) async throws(SessionStoreError) -> Bool {
        let identity = latest.withLock { $0?.version == version ? $0?.identity : nil }
        return try files.isCurrent(version, knownAs: identity)
    }

    private func note(_ version: UInt64, _ identity: FileIdentity) {
        latest.withLock { if version >= $0?.version ?? 0 { $0 = (version, identity) } }
    }

    /// After a sign-in that follows on damage.
    public func writeOverDamage(_ payload: [UInt8]) async throws(SessionStoreError) -> StoreOutcome {
        guard let written = try files.writeOverDamage(payload) else { return .conflict }
        note(written.version, written.identity)
        return .written(written.version)
    }
}
