import StoreSQLite

/// `pawl backup`
enum BackupCommand {
    static let target = Option.optional(
        "to", .text("FILE"), "The file of the copy. It must not be there yet.")

    static let command = Command(
        "backup", "Copy the database of a server, also while it runs",
        discussion: [
            "The copy is what was there at one moment, whatever is written meanwhile, and is for its owner alone. To go "
                + "back to it, stop the server and put it in the place of pawl.db; remove pawl.db-wal and pawl.db-shm.",
            "The secret and the keys, in DIR too, are not in it: a copy alone is no use to a thief. Keep copies of them "
                + "elsewhere; they change when keys do.",
        ],
        examples: [.init(line: "pawl backup --data ./data --to copy.db", meaning: "one file with all tenants")],
        options: [DataOptions.directory.row, target.row]
    ) { (invocation) async throws(CommandFailure) in
        guard let directory = invocation.arguments[DataOptions.directory] else {
            throw .usage("--data is missing: the directory of the database")
        }
        guard let target = invocation.arguments[target] else {
            throw .usage("--to is missing: the file of the copy")
        }
        do throws(SQLiteStoreError) {
            try DatabaseBackup.copy(directory: directory, to: target)
        } catch {
            throw error.failure
        }
        try invocation.console.print("\(target) has the database of \(directory).")
    }
}
