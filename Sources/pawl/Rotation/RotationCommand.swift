/// `pawl rotation …`
enum RotationCommand {
    static let command = Command(
        "rotation", "Show the rules for refresh tokens that are presented twice",
        discussion: ["What is chosen with 'pawl serve --rotation', or with rotation in a configuration file."],
        subcommands: [ListRotationCommand.command, ExplainRotationCommand.command])
}
