#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#endif

/// Why keys could not be read from their directory, or not be kept there.
enum KeyStoreError: Error, Sendable {
    case file(FileError)
    /// Others than the owner may read the file, or write to the directory.
    case openToOthers(path: String, permissions: UInt32, wanted: UInt32)
    case ownedBySomebodyElse(path: String)
    /// The content is not what this program writes. Says where, never what stands there.
    case malformed(path: String, reason: String)
    /// Another process writes, and does not come to an end.
    case busy(path: String)
    /// What was to be written is not what this program reads.
    case unreadable(path: String, reason: String)
    /// Keys sign with several algorithms, and nobody said with which.
    case severalAlgorithms(path: String, names: [String])
    /// The keys themselves do not allow the change.
    case rejected(reason: String)

    var failure: CommandFailure {
        switch self {
        case .file(let error): error.failure
        case .openToOthers(let path, let permissions, let wanted):
            .environment(
                "\(path) is open to others (mode \(String(permissions, radix: 8))), and holds private keys",
                hint: "chmod \(String(wanted, radix: 8)) \(path)   # and replace the keys if others may have read them")
        case .ownedBySomebodyElse(let path): .environment("\(path) belongs to another user")
        case .malformed(let path, let reason): .badInput("\(path) is damaged: \(reason)")
        case .busy(let path): .environment("\(path) is locked by another process that is changing the keys")
        case .unreadable(let path, let reason):
            .refused("\(path) stays as it was: nobody could read it again: \(reason)")
        case .severalAlgorithms(let path, let names):
            .usage("keys in \(path) sign with \(names.joined(separator: ", "))", hint: "Choose one with --alg.")
        case .rejected(let reason): .refused(reason)
        }
    }
}
