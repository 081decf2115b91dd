import CSQLite
import Foundation
import Synchronization

/// Stands between SQLite and the disk, and holds what is about to be put on it, or has it fail, or a read.
///
///     let sync = HeldSync(of: database.file + "-wal")
///     let engine = try database.open()
///     sync.hold { print("somebody waits for the disk") }
///     …
///     sync.letGo()
///
/// To be made before the file is opened.
final class HeldSync: Sendable {
    private struct State {
        var onEntry: (@Sendable () -> Void)?
        var failures = 0
        var passes = 0
        var room = Int64.max
        var readFailures = 0
        var readPasses = 0
    }

    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)

    init(of path: String) {
        SyncShim.install()
        SyncShim.watch(path, self)
    }

    /// The next sync waits for ``letGo()``, once it has told that it is there.
    func hold(_ onEntry: @escaping @Sendable () -> Void) { state.withLock { $0.onEntry = onEntry } }

    func letGo() { gate.signal() }

    /// So many of the next syncs fail.
    ///
    /// - Parameter passes: how many do not, before them.
    func fail(_ count: Int, after passes: Int = 0) {
        state.withLock { state in
            state.failures = count
            state.passes = passes
        }
    }

    /// The next read fails, after so many that do not.
    func failRead(after passes: Int) {
        state.withLock { state in
            state.readFailures = 1
            state.readPasses = passes
        }
    }

    /// Whether the disk can be read.
    fileprivate func passRead() -> Bool {
        state.withLock { state in
            guard state.readFailures > 0 else { return true }
            guard state.readPasses == 0 else {
                state.readPasses -= 1
                return true
            }
            state.readFailures -= 1
            return false
        }
    }

    /// Whether a read was to fail and none has.
    var hasFailureLeft: Bool { state.withLock { $0.readFailures > 0 } }

    /// There is no room for more bytes in the file.
    func limit(to bytes: Int64) { state.withLock { $0.room = bytes } }

    fileprivate func hasRoom(for bytes: Int64) -> Bool { state.withLock { bytes <= $0.room } }

    /// Whether the disk does its work.
    fileprivate func pass() -> Bool {
        let (onEntry, fails) = state.withLock { state in
            defer { state.onEntry = nil }
            guard state.passes == 0 else {
                state.passes -= 1
                return (state.onEntry, false)
            }
            defer { state.failures = max(0, state.failures - 1) }
            return (state.onEntry, state.failures > 0)
        }
        if let onEntry {
            onEntry()
            gate.wait()
        }
        return !fails
    }
}

/// The file system that SQLite sees from then on in this process: the ordinary one, but for the syncs of watched files.
private enum SyncShim {
    private static let watched = Mutex<[String: HeldSync]>([:])
    /// The open files among them.
    private static let files = Mutex<[UInt: File]>([:])
    nonisolated(unsafe) private static let ordinary = sqlite3_vfs_find(nil)!
    /// Ours, for each table of an ordinary file's methods: logs have other ones than databases.
    private static let methods = Mutex<[UInt: UInt]>([:])

    private struct File {
        let sync: HeldSync
        /// What the ordinary file system does with it.
        let own: UInt

        var methods: UnsafePointer<sqlite3_io_methods> { UnsafePointer(bitPattern: own)! }
    }

    static func watch(_ path: String, _ sync: HeldSync) { watched.withLock { $0[path] = sync } }

    static func install() { _ = installed }

    private static let installed: Bool = {
        let shim = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        shim.initialize(to: ordinary.pointee)
        shim.pointee.zName = UnsafePointer(strdup("held"))
        shim.pointee.xOpen = { shim, name, file, flags, opened in
            SyncShim.open(shim, name, file, flags, opened)
        }
        return sqlite3_vfs_register(shim, 1) == SQLITE_OK
    }()

    private static func open(
        _ shim: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?,
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32, _ opened: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        let code = ordinary.pointee.xOpen(shim, name, file, flags, opened)
        guard code == SQLITE_OK, let name, let file, let own = file.pointee.pMethods,
            let sync = watched.withLock({ $0[String(cString: name)] })
        else { return code }
        files.withLock { $0[UInt(bitPattern: file)] = File(sync: sync, own: UInt(bitPattern: own)) }
        file.pointee.pMethods = held(own)
        return code
    }

    private static func held(_ own: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods> {
        let table = methods.withLock { known in
            if let table = known[UInt(bitPattern: own)] { return table }
            let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
            table.initialize(to: own.pointee)
            table.pointee.xRead = { file, bytes, count, offset in SyncShim.read(file, bytes, count, offset) }
            table.pointee.xWrite = { file, bytes, count, offset in SyncShim.write(file, bytes, count, offset) }
            table.pointee.xSync = { file, flags in SyncShim.synchronise(file, flags) }
            known[UInt(bitPattern: own)] = UInt(bitPattern: table)
            return UInt(bitPattern: table)
        }
        return UnsafePointer(bitPattern: table)!
    }

    private static func file(_ file: UnsafeMutablePointer<sqlite3_file>?) -> File {
        files.withLock { $0[UInt(bitPattern: file)]! }
    }

    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64
    ) -> Int32 {
        let known = Self.file(file)
        // SQLITE_IOERR_READ is a macro that Swift does not see.
        guard known.sync.passRead() else { return SQLITE_IOERR | 1 << 8 }
        return known.methods.pointee.xRead(file, bytes, count, offset)
    }

    private static func write(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
    ) -> Int32 {
        let known = Self.file(file)
        guard known.sync.hasRoom(for: offset + Int64(count)) else { return SQLITE_FULL }
        return known.methods.pointee.xWrite(file, bytes, count, offset)
    }

    private static func synchronise(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
        let known = Self.file(file)
        // SQLITE_IOERR_FSYNC, likewise.
        guard known.sync.pass() else { return SQLITE_IOERR | 4 << 8 }
        return known.methods.pointee.xSync(file, flags)
    }
}
