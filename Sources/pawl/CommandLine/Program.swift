/// The whole program but for its process: a command line in, an exit code out.
struct Program {
    let root: Command
    let console: Console
    let environment: @Sendable (String) -> String?

    func run(_ arguments: [String]) async -> ExitCode {
        do throws(ArgumentParser.Problem) {
            switch try ArgumentParser(root: root, environment: environment).parse(arguments) {
            case .help(let command, let path):
                return await attempt(path) { () throws(CommandFailure) in
                    try console.print(HelpText(command: command, path: path, width: console.width).text, terminator: "")
                }
            case .run(let command, let path, let arguments):
                guard let run = command.run else { preconditionFailure("a group of commands does not run") }
                return await attempt(path) { () throws(CommandFailure) in
                    try await run(Invocation(arguments: arguments, console: console))
                }
            }
        } catch {
            let path = error.path.joined(separator: " ")
            console.complain("\(path): \(error.message)")
            console.complain(error.hint.map { "\($0)  See '\(path) --help'." } ?? "See '\(path) --help'.")
            return .usage
        }
    }

    private func attempt(
        _ path: [String], _ body: () async throws(CommandFailure) -> Void
    ) async -> ExitCode {
        do throws(CommandFailure) {
            try await body()
            return .success
        } catch {
            if !error.message.isEmpty { console.complain("\(path.joined(separator: " ")): \(error.message)") }
            if let hint = error.hint { console.complain(hint) }
            return error.exitCode
        }
    }
}
