import CSQLite
import Foundation
import Synchronization

/// Stands between SQLite and the disk, and holds what is about to be put on it, or has it fail.
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
    private static let files = Mutex<[UInt: HeldSync]>([:])
    nonisolated(unsafe) private static let ordinary = sqlite3_vfs_find(nil)!
    nonisolated(unsafe) private static let methods = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
    /// Of the ordinary files. They share one table, for all of them are logs on one file system.
    private static let ordinaryMethods = Mutex<UInt>(0)

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
        ordinaryMethods.withLock { known in
            guard known == 0 else { return }
            known = UInt(bitPattern: own)
            methods.initialize(to: own.pointee)
            methods.pointee.xWrite = { file, bytes, count, offset in SyncShim.write(file, bytes, count, offset) }
            methods.pointee.xSync = { file, flags in SyncShim.synchronise(file, flags) }
        }
        files.withLock { $0[UInt(bitPattern: file)] = sync }
        file.pointee.pMethods = UnsafePointer(methods)
        return code
    }

    private static func write(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ bytes: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
    ) -> Int32 {
        let sync = files.withLock { $0[UInt(bitPattern: file)] }
        if let sync, !sync.hasRoom(for: offset + Int64(count)) { return SQLITE_FULL }
        let own = UnsafePointer<sqlite3_io_methods>(bitPattern: ordinaryMethods.withLock { $0 })!
        return own.pointee.xWrite(file, bytes, count, offset)
    }

    private static func synchronise(_ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32) -> Int32 {
        // SQLITE_IOERR_FSYNC is a macro that Swift does not see.
        let sync = files.withLock { $0[UInt(bitPattern: file)] }
        if let sync, !sync.pass() { return SQLITE_IOERR | 4 << 8 }
        let own = UnsafePointer<sqlite3_io_methods>(bitPattern: ordinaryMethods.withLock { $0 })!
        return own.pointee.xSync(file, flags)
    }
}
