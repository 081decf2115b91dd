/// `pawl config …`
enum ConfigCommand {
    static let command = Command(
        "config", "Check and show configuration files",
        subcommands: [CheckConfigCommand.command, PrintConfigCommand.command, SchemaConfigCommand.command])

    static let withoutSecrets = Option.flag(
        "without-secrets", "Do not look for secrets in variables and files; any will do.")

    static let file = Operand("FILE", "The configuration; - for standard input.", completion: .file)
}
