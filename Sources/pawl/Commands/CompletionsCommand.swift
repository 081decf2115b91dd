/// `pawl completions SHELL`
enum CompletionsCommand {
    static let command = Command(
        "completions", "Print a script that makes a shell complete commands and options",
        discussion: Shell.allCases.map { "\($0.rawValue): \($0.installation)" },
        operands: [
            Operand(
                "SHELL", "bash, zsh or fish.", completion: .oneOf(Shell.allCases.map(\.rawValue)))
        ]
    ) { (invocation) async throws(CommandFailure) in
        let name = invocation.arguments.operands[0]
        guard let shell = Shell(rawValue: name) else {
            throw .usage(
                "there are no completions for '\(name)'",
                hint: "There are some for \(Shell.allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        try invocation.console.print(shell.completions(for: CommandTree.root), terminator: "")
    }
}
