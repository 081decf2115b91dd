import IdentityProvider
import Primitives

/// `pawl config print`
enum PrintConfigCommand {
    static let command = Command(
        "print", "Print what a server would run with",
        discussion: [
            "The file, with every default that it leaves out, and without secrets. Without a file: the defaults alone."
        ],
        options: [ConfigCommand.withoutSecrets.row],
        operands: [
            Operand(
                "FILE", "The configuration; - for standard input.", isRequired: false, completion: .file)
        ]
    ) { (invocation) async throws(CommandFailure) in
        let base = try ConfigurationFile.standard()
        let settings: ProviderSettings
        if let name = invocation.arguments.operands.first {
            let file = try ConfigurationFile(name)
            let secrets =
                invocation.arguments[ConfigCommand.withoutSecrets] ? ConfigurationFile.noSecrets : file.secrets
            do throws(ConfigurationError) {
                settings = try ConfigurationReader(resolvingSecrets: secrets).read(file.bytes, over: base)
            } catch {
                for line in error.lines(naming: file.shownName) { invocation.console.complain(line) }
                throw .badInput("")
            }
        } else {
            settings = ProviderSettings(root: base)
        }
        try invocation.console.print(JSON.object(settings.json).text(pretty: true), terminator: "")
    }
}
