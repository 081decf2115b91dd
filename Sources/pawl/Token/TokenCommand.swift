/// `pawl token …`
enum TokenCommand {
    static let command = Command(
        "token", "Sign, verify and look into tokens",
        subcommands: [SignTokenCommand.command, VerifyTokenCommand.command, InspectTokenCommand.command])
}
