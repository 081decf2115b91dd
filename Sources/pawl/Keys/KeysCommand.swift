import JOSE

/// `pawl keys …`
enum KeysCommand {
    static let command = Command(
        "keys", "Make, list and export signing keys",
        subcommands: [NewKeyCommand.command, ListKeysCommand.command, ExportKeysCommand.command])

    /// What keys are for that are made without a word about it: here and by a server, or the one would not sign with what
    /// the other made.
    static let standardAlgorithm = SignatureAlgorithm.rs256

    /// The directory that `serve --keys` works with.
    static let directory = Option.optional(
        "keys", .directory, environment: "PAWL_KEYS", "The directory that a server keeps its keys in.")
}
