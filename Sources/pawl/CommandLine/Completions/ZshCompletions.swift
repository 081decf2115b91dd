/// Completions for zsh, by its `_arguments`.
struct ZshCompletions {
    let nodes: [CommandNode]

    var script: String {
        """
        #compdef pawl
        # Completions of pawl for zsh.
        _pawl() {
            local command=pawl index depth=1
            local -a commands
            for ((index = 2; index < CURRENT; index++)); do
                case "$command ${words[index]}" in
                    (\(subcommandPatterns)) command="$command ${words[index]}"; depth=$index ;;
                esac
            done
            # The arguments of a command are counted from its own name.
            words=("${(@)words[depth,-1]}")
            (( CURRENT -= depth - 1 ))
            case "$command" in
        \(commandCases)
            esac
        }
        if [ "$funcstack[1]" = "_pawl" ]; then _pawl "$@"; else compdef _pawl pawl; fi

        """
    }

    private var subcommandPatterns: String {
        nodes.dropFirst().map { "'\($0.words)'" }.joined(separator: "|")
    }

    private var commandCases: String {
        nodes.map { node in
            "        ('\(node.words)')\n"
                + (node.command.subcommands.isEmpty ? leafCase(node.command) : groupCase(node.command)) + " ;;"
        }.joined(separator: "\n")
    }

    private func groupCase(_ command: Command) -> String {
        let entries = command.subcommands.map { Shell.quoted("\($0.name):\($0.summary)") }
        return """
                        commands=(\(entries.joined(separator: " ")))
                        _describe command commands
            """
    }

    private func leafCase(_ command: Command) -> String {
        var specifications = command.allOptions.map(Self.specification)
        for operand in command.operands {
            let colons = operand.isRequired ? ":" : "::"
            specifications.append(
                Shell.quoted(colons + Self.escaped(operand.placeholder) + ":" + Self.action(operand.completion)))
        }
        return "            _arguments -s \\\n                "
            + specifications.joined(separator: " \\\n                ")
    }

    private static func specification(of row: OptionRow) -> String {
        let repeats = row.isRepeatable ? "*" : ""
        let description = "[\(escaped(row.help))]"
        let value = row.placeholder.map { ":\(escaped($0)):\(action(row.completion))" } ?? ""
        let long = Shell.quoted(repeats + "--\(row.name)" + (row.isFlag ? "" : "=") + description + value)
        guard let short = row.short else { return long }
        return long + " " + Shell.quoted(repeats + "-\(short)" + (row.isFlag ? "" : "+") + description + value)
    }

    private static func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: " "
        case .file: "_files"
        case .directory: "_files -/"
        case .oneOf(let words): "(\(words.joined(separator: " ")))"
        }
    }

    /// Brackets, colons and backslashes mean something in a specification.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "[]:\\".contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }
}
