import IdentityProvider
import JOSE
import Primitives

/// `pawl keys list`
enum ListKeysCommand {
    static let command = Command(
        "list", "List the keys of a server", options: [KeysCommand.directory.row, CommonOptions.json.row]
    ) { (invocation) async throws(CommandFailure) in
        guard let directory = invocation.arguments[KeysCommand.directory] else {
            throw .usage("--keys is missing: the directory of the keys")
        }
        var state = try loadKeys(of: directory)
        state.catchUp(to: SystemWallClock().now(), by: .fromOutside)
        if invocation.arguments[CommonOptions.json] {
            let keys = state.keys.map { JSON.object(describe($0)) }
            try invocation.console.print(JSON.object(["keys": .array(keys)]).text())
        } else {
            try invocation.console.print(table(of: state.keys), terminator: "")
        }
    }

    /// Reads a directory that must be there.
    static func loadKeys(of directory: String) throws(CommandFailure) -> KeyRing.State {
        let store = try existingStore(in: directory)
        do throws(KeyStoreError) { return try store.load() } catch { throw error.failure }
    }

    /// A directory that must be there.
    static func existingStore(in directory: String) throws(CommandFailure) -> KeyStore {
        let store = KeyStore(directory: directory)
        let isThere: Bool
        do throws(FileError) {
            isThere = try FileSystem.status(of: store.file) != nil
        } catch {
            throw error.failure
        }
        guard isThere else { throw .badInput("there are no keys in \(directory)") }
        return store
    }

    static func describe(_ entry: KeyRing.Entry) -> JSONObject {
        var object: JSONObject = [
            "kid": .string(entry.key.keyID), "alg": .string(entry.key.algorithm.name),
            "state": .string(entry.role.name),
            "created": .string(entry.created.rfc3339(withMilliseconds: false)),
        ]
        switch entry.role {
        case .next(let moment): object["active_from"] = .string(moment.rfc3339(withMilliseconds: false))
        case .active: break
        case .retiring(let moment): object["published_until"] = .string(moment.rfc3339(withMilliseconds: false))
        }
        return object
    }

    private static func table(of entries: [KeyRing.Entry]) -> String {
        var rows = [["KID", "ALG", "STATE", "CREATED", "PUBLISHED UNTIL"]]
        for entry in entries {
            let until =
                switch entry.role {
                case .next(let moment): "signs from \(moment.rfc3339(withMilliseconds: false))"
                case .active: entry.key.algorithm.isSymmetric ? "never published" : "in use"
                case .retiring(let moment): moment.rfc3339(withMilliseconds: false)
                }
            rows.append([
                entry.key.keyID, entry.key.algorithm.name, entry.role.name,
                entry.created.rfc3339(withMilliseconds: false), until,
            ])
        }
        return TextTable(rows).text
    }
}
