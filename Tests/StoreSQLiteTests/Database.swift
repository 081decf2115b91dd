import CSQLite
import Foundation
import IdentityProvider
import OAuth
import Primitives
import StoreSQLite
import Synchronization
import TestSupport

/// A directory with a database, and what can be done to it behind the back of the engine.
final class Database: Sendable {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    var data: String { directory.path("data") }
    var file: String { data + "/" + SQLiteEngine.fileName }

    /// What the engine has told.
    let notices = Mutex<[StoreNotice]>([])

    func open(
        _ limits: StoreLimits = .onDisk, journalBytes: Int = FoldingHand.usualBytesPerRound
    ) throws -> SQLiteEngine {
        try SQLiteEngine(DirectoryLock(data), limits: limits, journalBytes: journalBytes) { notice in
            self.notices.withLock { $0.append(notice) }
        }
    }

    /// Makes one, does something with its store, and closes it.
    func prepare(_ body: (SQLiteStore) async throws -> Void = { _ in }) async throws {
        let engine = try open()
        defer { engine.close() }
        try await body(engine.store())
    }

    /// A family as whoever opens the files finds it that would be left now if the process was killed.
    func family(_ id: FamilyID, inCopy name: String) async throws -> Family? {
        try await families(inCopy: name).first { $0.id == id }
    }

    /// All of them.
    func families(inCopy name: String) async throws -> [Family] {
        let copy = directory.path(name)
        let owner: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(
            atPath: copy, withIntermediateDirectories: false, attributes: owner)
        for end in ["", "-wal"] {
            let target = copy + "/" + SQLiteEngine.fileName + end
            try FileManager.default.copyItem(atPath: file + end, toPath: target)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
        }
        let engine = try SQLiteEngine(DirectoryLock(copy))
        defer { engine.close() }
        return try await engine.store().families(where: { _ in true }, limit: .max)
    }

    struct Failure: Error {
        let text: String
    }

    /// The rows of a statement, by another connection.
    @discardableResult
    func sql(_ statement: String, in path: String? = nil) throws -> [String] {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        guard sqlite3_open(path ?? file, &database) == SQLITE_OK else { throw Failure(text: "cannot open") }
        var handle: OpaquePointer?
        defer { sqlite3_finalize(handle) }
        guard sqlite3_prepare_v2(database, statement, -1, &handle, nil) == SQLITE_OK else {
            throw Failure(text: String(cString: sqlite3_errmsg(database)))
        }
        var rows: [String] = []
        while true {
            switch sqlite3_step(handle) {
            case SQLITE_ROW: rows.append(sqlite3_column_text(handle, 0).map { String(cString: $0) } ?? "")
            case SQLITE_DONE: return rows
            default: throw Failure(text: String(cString: sqlite3_errmsg(database)))
            }
        }
    }

    /// Why it cannot be opened; `nil` when it can.
    func refusal() -> SQLiteStoreError? {
        do throws(SQLiteStoreError) {
            try SQLiteEngine(DirectoryLock(data)).close()
            return nil
        } catch {
            return error
        }
    }

    func bytes() throws -> Data { try Data(contentsOf: URL(filePath: file)) }
    func write(_ bytes: Data) throws { try bytes.write(to: URL(filePath: file)) }

    func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
}

/// What tests put into a store.
enum Sample {
    static let start = Timestamp(secondsSinceEpoch: 1_700_000_000)

    static func terms(
        _ seed: UInt64 = 1, expires: Timestamp? = nil, login: LoginID? = nil
    ) -> FamilyTerms {
        FamilyTerms(
            id: FamilyID(from: SeededRandom(seed: seed)), clientID: "app", userID: "alice", scope: .empty,
            loginID: login, began: start, expires: expires)
    }

    static func registration(_ clientID: String = "client", revision: Int = 0, name: String = "App") -> Registration {
        Registration(
            clientID: clientID, stay: 1, revision: revision, secretNumber: 0,
            accessTokenDigest: TokenDigest(of: "token"),
            registered: start, metadata: ["client_name": .string(name)])
    }

    static func code(_ seed: UInt64 = 1) -> AuthorizationCode {
        AuthorizationCode(terms: terms(seed), redirectURI: nil, challenge: nil, expires: start + .seconds(60))
    }

    /// A request of some ten thousand bytes.
    static func request(lasting: Duration = .seconds(60)) -> PushedRequest {
        PushedRequest(
            clientID: "app", parameters: FormParameters([("state", String(repeating: "x", count: 10_000))]),
            expires: start + lasting)
    }
}
