/// Every command of the program.
enum CommandTree {
    static let root: Command = Command(
        "pawl", "An identity provider for tests and laptops, and tools for its tokens and keys",
        discussion: [
            "Start with 'pawl serve'. Of an option that is given twice, the last one counts, unless it is repeatable. "
                + "Variables (env) count where the option is not given."
        ],
        subcommands: [
            ServeCommand.command, ProxyCommand.command, BackupCommand.command, ConfigCommand.command,
            TokenCommand.command,
            KeysCommand.command, RotationCommand.command, ControlCommand.command, CompletionsCommand.command,
            VersionCommand.command,
        ])
}
