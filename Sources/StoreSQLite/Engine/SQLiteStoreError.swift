import CSQLite
import IdentityProvider

/// Why a database could not be opened, or not be copied. Says what is wrong, and what to do about it where that is known.
package enum SQLiteStoreError: Error, Hashable, Sendable {
    /// Another process has it.
    case inUse(directory: String, process: Int32?)
    case writtenByNewer(path: String, version: Int64, known: Int64)
    /// A database of another program's.
    case foreign(path: String)
    case damaged(path: String, reason: String)
    /// What it has was made with another secret than the one beside it.
    case ofAnotherSecret(path: String)
    case openToOthers(path: String, permissions: UInt32, wanted: UInt32)
    case ownedBySomebodyElse(path: String)
    case noDirectory(path: String)
    case exists(path: String)
    case missing(path: String)
    /// What the system said.
    case file(String)
    case database(path: String, reason: String)

    init(_ failure: SQLiteFailure, path: String) {
        switch failure {
        case .database(let problem) where problem.isDamage:
            self = .damaged(path: path, reason: problem.description)
        case .database(let problem): self = .database(path: path, reason: problem.description)
        case .refused(let error): self = .database(path: path, reason: error.description)
        }
    }
}

extension SQLiteStoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inUse(let directory, let process):
            "\(directory) is in use by another process" + (process.map { ", \($0)" } ?? "")
        case .writtenByNewer(let path, let version, let known):
            "\(path) has version \(version), which a newer pawl wrote; this one knows up to \(known)"
        case .foreign(let path): "\(path) is a database of another program"
        case .damaged(let path, let reason): "\(path): \(reason)"
        case .ofAnotherSecret(let path): "\(path) was made with another secret than the one that is beside it"
        case .openToOthers(let path, let permissions, _):
            "\(path) is open to others (mode \(String(permissions, radix: 8)))"
        case .ownedBySomebodyElse(let path): "\(path) belongs to another user"
        case .noDirectory(let path): "\(path) is no directory"
        case .exists(let path): "\(path) is there already"
        case .missing(let path): "there is no \(path)"
        case .file(let text): text
        case .database(let path, let reason): "\(path): \(reason)"
        }
    }

    package var hint: String? {
        switch self {
        case .inUse:
            "One server has a directory at a time: stop that one, or give this one another --data. "
                + "'pawl backup' copies the database while it is in use."
        case .writtenByNewer: "Start the newer pawl, or one that is as new, or give another --data."
        case .damaged:
            "Nothing was changed. Put a copy that 'pawl backup' made in its place, or begin anew with another --data."
        case .ofAnotherSecret:
            "Nothing was changed. Put the file 'secret' of its own directory beside it, or begin anew with another --data."
        case .openToOthers(let path, _, let wanted):
            "chmod \(String(wanted, radix: 8)) \(path)   # if nobody else has used it"
        case .foreign, .noDirectory: "Nothing was changed. Give another --data, such as one that is not there yet."
        case .ownedBySomebodyElse: "Be the user whom it belongs to, or give another --data."
        case .missing: "Give the --data that a server had."
        case .exists: "Name a file that is not there yet."
        default: nil
        }
    }
}
