import CSQLite
import IdentityProvider

/// Why a piece of work on the database came to nothing.
package enum SQLiteFailure: Error {
    /// What SQLite said.
    case database(SQLiteProblem)
    /// The work itself ended it, before it had changed anything.
    case refused(StoreError)

    var storeError: StoreError {
        switch self {
        case .database(let problem): .unavailable(reason: problem.description)
        case .refused(let error): error
        }
    }
}

/// What SQLite said, in its codes and its words. The words name no value that was stored.
package struct SQLiteProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// An extended result code.
    package let code: Int32
    private let text: String

    init(_ database: OpaquePointer?, code: Int32) {
        let extended = database.map { sqlite3_extended_errcode($0) } ?? code
        // After some failures the connection tells of an earlier one.
        self.code = extended & 0xFF == code & 0xFF ? extended : code
        text = database.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(code))
    }

    init(code: Int32, text: String) {
        self.code = code
        self.text = text
    }

    /// The file of the database was removed, or another put in its place. What is written to the one that is open is lost.
    static let replaced = Self(
        code: SQLITE_NOTFOUND,
        text: "the file of the database was removed or replaced while it is open; put it back, or stop the server")

    /// A row of the journal is not as it was written: what was acknowledged is in it, and nobody can tell what.
    static func damagedJournal(row: Int64) -> Self {
        Self(code: SQLITE_CORRUPT, text: "row \(row) of its journal is not as it was written")
    }

    package var primary: Int32 { code & 0xFF }

    /// Whether there is no room.
    var isFull: Bool { primary == SQLITE_FULL }

    /// Whether the file is not what it should be: no trying again helps.
    package var isDamage: Bool { primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB }

    /// Whether it ails whatever is tried, so that nothing is better off by itself: each of many who wait for a lock, one
    /// after the other, would wait for hours.
    var ailsEverything: Bool {
        switch primary {
        case SQLITE_NOTFOUND, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PROTOCOL: true
        default: isDamage
        }
    }

    /// Whether the connection is to be made anew before anything else is tried with it.
    var spoilsConnection: Bool {
        switch primary {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PROTOCOL: true
        default: false
        }
    }

    package var description: String {
        switch primary {
        case SQLITE_FULL: "the disk is full, or the database as large as it may be"
        case SQLITE_READONLY: "the database, or its directory, cannot be written (\(text))"
        case SQLITE_CORRUPT: "the database is damaged (\(text))"
        case SQLITE_NOTFOUND: text
        case SQLITE_NOTADB: "the file is no database (\(text))"
        case SQLITE_BUSY, SQLITE_LOCKED: "another program keeps the database locked (\(text))"
        case SQLITE_CANTOPEN: "the database cannot be opened (\(text))"
        case SQLITE_IOERR: "the database cannot be read or written (\(text), code \(code))"
        default: "the database does not work (\(text), code \(code))"
        }
    }
}
