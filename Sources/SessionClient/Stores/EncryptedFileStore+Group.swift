import Primitives

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

extension EncryptedFileStore {
    /// The store of a group of programs, in the directory that they share.
    ///
    ///     let store = try EncryptedFileStore(group: "team.example.app", clock: clock)
    ///
    /// - Parameters:
    ///   - group: a name like `team.example.app`: letters, digits, `.`, `-` and `_`.
    ///   - name: of the files in the directory, which has room for more than one store.
    ///   - key: what they are encrypted with.
    ///   - container: where the system keeps what a group shares. Needed on Apple platforms, where only the system knows;
    ///   elsewhere `nil` means `$XDG_DATA_HOME`, or `~/.local/share` (XDG Base Directory Specification).
    ///   - clock: drafts of processes that were killed are removed by it.
    ///   - random: for nonces and keys.
    public convenience init(
        group: String, name: String = "session", key: StoreKey = .file,
        container: ((String) -> String?)? = nil, clock: any WallClock, random: any RandomSource = SystemRandom()
    ) throws(SessionStoreError) {
        let container = container ?? Self.dataHome
        self.init(
            directory: try Self.directory(ofGroup: group, container: container), name: name, key: key, clock: clock,
            random: random)
    }

    /// In the container of the group, a directory of the store's own: the container itself is open to all of the system.
    package static func directory(
        ofGroup group: String, container: (String) -> String?
    ) throws(SessionStoreError) -> String {
        guard isGroup(group) else {
            throw .failed(reason: "a group is named by letters, digits, periods, - and _, up to 128, and not \(group)")
        }
        // The XDG Base Directory Specification has relative paths ignored.
        guard let path = container(group), path.hasPrefix("/") else {
            throw .failed(reason: "nobody says where the files of the group \(group) are")
        }
        return (path.hasSuffix("/") ? path : path + "/") + group
    }

    /// It becomes a part of a path: neither that of another directory nor a hidden one.
    private static func isGroup(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count) && !text.hasPrefix(".") && !text.hasSuffix(".")
            && text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy {
                VersionedFiles.isName(String($0))
            }
    }

    #if canImport(Darwin)
    private static func dataHome(_ group: String) -> String? { nil }
    #else
    private static func dataHome(_ group: String) -> String? {
        if let path = variable("XDG_DATA_HOME"), path.hasPrefix("/") { return path }
        return variable("HOME").map { $0.hasSuffix("/") ? $0 + ".local/share" : $0 + "/.local/share" }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }
    #endif
}
