import Cookies
import Primitives

/// A jar on the disk: saved when an app leaves the foreground, restored when it is back.
///
///     let file = CookieJarFile(directory: path, clock: clock)
///     let restoration = try file.restore()
///     let jar = restoration.jar()
///     try file.save(jar, epoch: restoration.epoch)     // in the background: whole, or as if nothing had happened
///     let epoch = try file.forget()                    // signed out: nothing that was saved before comes back
///
/// Encrypted and kept like an ``EncryptedFileStore``: a save that is cut off at any byte leaves the one before it.
///
/// A sign-out is a version of its own, and counts the epochs. Who saves says to which epoch his cookies belong: a save that
/// began before a sign-out, in this process or in another, is refused after it, however late it comes.
///
/// None of this is asynchronous: whoever saves on the way to the background has a moment, and nobody to hand it to. It is a
/// few calls to the system.
public struct CookieJarFile: Sendable {
    /// A jar as full as it may be takes a few million.
    package static let greatestByteCount = 16 << 20
    /// How often somebody else may save between reading and writing.
    private static let attemptLimit = 64

    private let files: VersionedFiles
    private let clock: any WallClock

    /// - Parameters:
    ///   - directory: made with mode 0700 when something is written, if it is not there.
    ///   - name: of the files in the directory: letters, digits, `-` and `_`. No other store in there has the same.
    ///   - key: what the files are encrypted with.
    ///   - clock: says what has expired.
    ///   - random: for nonces and keys.
    public init(
        directory: String, name: String = "cookies", key: StoreKey = .file, clock: any WallClock,
        random: any RandomSource = SystemRandom()
    ) {
        self.init(
            directory: directory, name: name, key: key, clock: clock, random: random, calls: SystemFileCalls())
    }

    /// With calls of one's own in the place of those to the system.
    package init(
        directory: String, name: String = "cookies", key: StoreKey = .file, clock: any WallClock,
        random: any RandomSource = SystemRandom(), calls: any FileCalls
    ) {
        precondition(VersionedFiles.isName(name), "letters, digits, - and _, up to 64")
        self.clock = clock
        files = VersionedFiles(
            directory: directory, name: name, purpose: "pawl-cookies", key: key, clock: clock, random: random,
            calls: calls, greatestPayloadByteCount: Self.greatestByteCount)
    }
}

// MARK: Restoring

extension CookieJarFile {
    /// What a restore has done. That the file is locked or damaged is an error, for then nobody knows.
    public enum Restoration: Sendable {
        /// Nothing was ever saved.
        case notFound
        /// The last thing that happened is a sign-out.
        case forgotten(epoch: UInt64)
        /// With what was over by now, and how many could not be read.
        case restored(CookieArchive.Restored, epoch: UInt64)

        /// With what to save from here on.
        public var epoch: UInt64 {
            switch self {
            case .notFound: 0
            case .forgotten(let epoch), .restored(_, let epoch): epoch
            }
        }

        /// What there is to go on with; empty where nothing came back.
        public func jar(policy: CookiePolicy = CookiePolicy()) -> CookieJar {
            if case .restored(let restored, _) = self { restored.jar } else { CookieJar(policy: policy) }
        }
    }

    /// What was saved last, without what is over by now.
    public func restore(policy: CookiePolicy = CookiePolicy()) throws(SessionStoreError) -> Restoration {
        guard let (_, record) = try read() else { return .notFound }
        guard let archive = record.archive else { return .forgotten(epoch: record.epoch) }
        return .restored(archive.restore(policy: policy, at: clock.now()), epoch: record.epoch)
    }

    private func read() throws(SessionStoreError) -> (version: UInt64, record: Record)? {
        guard let (entry, _) = try files.read() else { return nil }
        return (entry.version, try Record(parsing: entry.payload))
    }
}

// MARK: Saving

extension CookieJarFile {
    /// What a save has done.
    public enum SaveOutcome: Hashable, Sendable {
        case saved
        /// It is what was saved before, and was left alone.
        case unchanged
        /// Somebody has signed out since: these cookies are of before, and were not saved.
        case forgotten
    }

    /// Puts a jar in the place of what was saved before.
    ///
    /// - Parameters:
    ///   - jar: what is to come back.
    ///   - sessionCookies: what becomes of those that end with the user agent. `.given` makes a login that its server meant to
    ///   end with the app last that long on this device, from the last save on: a choice of yours against the server's.
    ///   - epoch: that of the restore, or of the sign-out, after which these cookies came.
    @discardableResult
    public func save(
        _ jar: CookieJar, sessionCookies: CookieArchive.SessionCookies = .leftOut, epoch: UInt64
    ) throws(SessionStoreError) -> SaveOutcome {
        let archive = CookieArchive(jar, sessionCookies: sessionCookies, at: clock.now())
        let record = Record(epoch: epoch, archive: archive)
        let payload = record.payload
        for _ in 0..<Self.attemptLimit {
            let current = try read()
            if let current {
                guard epoch >= current.record.epoch else { return .forgotten }
                if current.record.payload == payload { return .unchanged }
            }
            if try files.write(payload, over: current?.version) != nil { return .saved }
        }
        throw .failed(reason: "others save the cookies all the time")
    }

    /// Signs out: what was saved is gone, also from the version before, and nothing of it can be saved again. A file that is
    /// damaged is replaced.
    ///
    /// - Returns: the epoch that begins, with which the next login is saved.
    public func forget() throws(SessionStoreError) -> UInt64 {
        let epoch = try bury()
        // Once more, so that the version before, which is kept beside this one, holds no cookies either. Whoever has saved
        // meanwhile belongs to the new epoch, and has done it himself.
        if let current = try read(), current.record.epoch == epoch, current.record.archive == nil {
            _ = try files.write(current.record.payload, over: current.version)
        }
        return epoch
    }

    private func bury() throws(SessionStoreError) -> UInt64 {
        for _ in 0..<Self.attemptLimit {
            // By the clock, so that it is above those that a damaged or removed file had.
            var epoch = UInt64(max(1, clock.now().millisecondsSinceEpoch))
            let entry: StoredEntry?
            do {
                entry = try files.read()?.entry
            } catch {
                // Where it is locked, that is what is said; where the key is gone, it is as good as damaged.
                if case .failed = error { throw error }
                if try files.writeOverDamage(Record(epoch: epoch, archive: nil).payload) != nil { return epoch }
                continue
            }
            // What opens and is none of ours, or of a newer program, goes too.
            if let entry, let record = try? Record(parsing: entry.payload) { epoch = max(epoch, record.epoch + 1) }
            if try files.write(Record(epoch: epoch, archive: nil).payload, over: entry?.version) != nil {
                return epoch
            }
        }
        throw .failed(reason: "others save the cookies all the time")
    }
}

/// What one version keeps.
private struct Record {
    let epoch: UInt64
    /// `nil`: a sign-out.
    let archive: CookieArchive?

    private static let limits = JSONLimits(bytes: CookieJarFile.greatestByteCount)
    /// They are counted from the milliseconds since 1970: this leaves room for some after the last moment that there is.
    private static let endOfEpochs: Int64 = 1 << 60

    init(epoch: UInt64, archive: CookieArchive?) {
        self.epoch = epoch
        self.archive = archive
    }

    /// What was sealed by this program and is none of this was written by a newer one.
    init(parsing payload: [UInt8]) throws(SessionStoreError) {
        guard let json = try? JSON(parsing: payload.span, limits: Self.limits),
            let epoch = json["epoch"]?.int64, (0..<Self.endOfEpochs).contains(epoch), let saved = json["archive"]
        else { throw .corrupt(reason: "these are no cookies of ours") }
        self.epoch = UInt64(epoch)
        if case .null = saved {
            archive = nil
            return
        }
        do {
            archive = try CookieArchive(json: saved)
        } catch {
            switch error {
            case .newerVersion: throw .corrupt(reason: "written by a newer program")
            case .malformed: throw .corrupt(reason: "these are no cookies of ours")
            }
        }
    }

    var payload: [UInt8] {
        let json: JSON = [
            "epoch": .number(JSONNumber(Int64(clamping: epoch))), "archive": archive?.json ?? .null,
        ]
        return json.serialised()
    }
}
