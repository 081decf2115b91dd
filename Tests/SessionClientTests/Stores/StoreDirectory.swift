import Foundation
import Primitives
import SessionClient
import TestSupport
import Testing

/// A directory for stores, with whatever a test wants to look at or to spoil in it.
final class StoreDirectory: Sendable {
    private let temporary: TemporaryDirectory
    let path: String
    static let key = Secret([UInt8](0..<32))

    init() throws {
        temporary = try TemporaryDirectory()
        path = temporary.path("store")
    }

    /// Drafts have the time of the system, and with it this clock.
    static let clock = SystemWallClock()

    func store(
        name: String = "session", key: StoreKey = .bytes(StoreDirectory.key), calls: any FileCalls = QuickCalls(),
        clock: any WallClock = StoreDirectory.clock, random: any RandomSource = SystemRandom()
    ) -> EncryptedFileStore {
        EncryptedFileStore(directory: path, name: name, key: key, clock: clock, random: random, calls: calls)
    }

    /// The same without a task, for who stands between two calls.
    func files(_ calls: any FileCalls = QuickCalls(), key: StoreKey = .bytes(StoreDirectory.key)) -> VersionedFiles {
        store(key: key, calls: calls).files
    }

    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
    /// Without what is left of the first one.
    var versions: [String] { names.filter { $0.hasPrefix("session.0") && bytes($0) != [] } }
    var drafts: [String] { names.filter { $0.contains(".draft.") } }

    static func file(_ version: Int, _ name: String = "session") -> String {
        let digits = String(version)
        return name + "." + String(repeating: "0", count: 20 - digits.count) + digits
    }

    func url(_ name: String) -> URL { URL(filePath: path).appending(path: name) }
    func bytes(_ name: String) -> [UInt8]? { (try? Data(contentsOf: url(name))).map { Array($0) } }

    func put(_ bytes: [UInt8], _ name: String, permissions: Int = 0o600) throws {
        try? FileManager.default.removeItem(at: url(name))
        try Data(bytes).write(to: url(name))
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: url(name).path())
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(at: url(name)) }

    func permissions(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url(name).path())[.posixPermissions] as? Int
    }
}

/// The system, but for the waiting for the disk.
typealias QuickCalls = WatchedCalls

extension WatchedCalls {
    convenience init() { self.init { _, _ in .happens } }
}

extension VersionedFiles {
    /// Reads, adds a text to what is there, and writes over what was read.
    @discardableResult
    func append(_ text: String) -> UInt64? {
        guard let entry = try? read()?.entry else { return try? write(Array(text.utf8), over: nil)?.version }
        return try? write(entry.payload + Array(text.utf8), over: entry.version)?.version
    }

    var text: String? {
        guard let payload = try? read()?.entry.payload else { return nil }
        return String(decoding: payload, as: UTF8.self)
    }
}
