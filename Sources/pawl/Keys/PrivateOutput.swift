/// Where private keys may be written: a new file of one's own, or standard output if that was asked for and is no
/// terminal by accident.
enum PrivateOutput {
    static let output = Option.optional(
        "output", short: "o", .file,
        "Write to this new file, which nobody else may read (mode 0600); - is standard output.")

    static func write(_ text: String, to path: String, console: Console) throws(CommandFailure) {
        if path == "-" { return try console.print(text, terminator: "") }
        do throws(FileError) {
            try FileSystem.create(path, with: Array(text.utf8), mode: 0o600)
        } catch {
            throw error.failure
        }
    }
}
