import IdentityProvider
import Primitives

/// `pawl config check`
enum CheckConfigCommand {
    static let command = Command(
        "check", "Check a configuration file",
        discussion: ["Tells everything that is wrong with it, each with its line and column, and exits with 1."],
        examples: [.init(line: "pawl config check config.json", meaning: "before it is used")],
        options: [ConfigCommand.withoutSecrets.row, CommonOptions.json.row], operands: [ConfigCommand.file]
    ) { (invocation) async throws(CommandFailure) in
        let arguments = invocation.arguments
        let file = try ConfigurationFile(arguments.operands[0])
        let secrets = arguments[ConfigCommand.withoutSecrets] ? ConfigurationFile.noSecrets : file.secrets
        let base = try ConfigurationFile.standard()
        do throws(ConfigurationError) {
            var reader = ConfigurationReader(resolvingSecrets: secrets)
            if !arguments[ConfigCommand.withoutSecrets] { reader.problemOfAuthorities = file.problem(ofAuthorities:) }
            _ = try reader.read(file.bytes, over: base)
        } catch {
            if arguments[CommonOptions.json] {
                try invocation.console.print(JSON.object(describe(error)).text())
            } else {
                for line in error.lines(naming: file.shownName) { invocation.console.complain(line) }
            }
            throw .refused("")
        }
        try invocation.console.print(
            arguments[CommonOptions.json] ? #"{"valid":true,"errors":[]}"# : "\(file.shownName) is in order.")
    }

    private static func describe(_ error: ConfigurationError) -> JSONObject {
        var object: JSONObject = [
            "valid": false,
            "errors": .array(
                error.entries.map { entry in
                    [
                        "line": .number(JSONNumber(Int64(entry.place.line))),
                        "column": .number(JSONNumber(Int64(entry.place.column))), "path": .string(entry.path),
                        "message": .string(entry.message),
                    ]
                }),
        ]
        if error.omittedCount > 0 { object["omitted"] = .number(JSONNumber(Int64(error.omittedCount))) }
        return object
    }
}
