/// Completions for bash. They need no bash-completion package.
struct BashCompletions {
    let nodes: [CommandNode]

    var script: String {
        """
        # Completions of pawl for bash.
        _pawl() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command=pawl index
            # --name=value comes in three words.
            if [[ $current == "=" ]]; then
                current=""
            elif [[ $previous == "=" ]]; then
                previous=${COMP_WORDS[COMP_CWORD-2]}
            fi
            COMPREPLY=()
            for ((index = 1; index < COMP_CWORD; index++)); do
                case "$command ${COMP_WORDS[index]}" in
                    \(subcommandPatterns)) command="$command ${COMP_WORDS[index]}" ;;
                esac
            done
            case "$command $previous" in
        \(valueCases)
            esac
            case "$command" in
        \(commandCases)
            esac
        }
        complete -F _pawl pawl

        """
    }

    private var subcommandPatterns: String {
        nodes.dropFirst().map { "\"\($0.words)\"" }.joined(separator: " | ")
    }

    private var valueCases: String {
        nodes.flatMap { node in
            node.command.allOptions.filter { !$0.isFlag }.map { row in
                var patterns = ["\"\(node.words) --\(row.name)\""]
                if let short = row.short { patterns.append("\"\(node.words) -\(short)\"") }
                return """
                            \(patterns.joined(separator: " | ")))
                                \(Self.reply(row.completion) ?? ":")
                                return ;;
                    """
            }
        }.joined(separator: "\n")
    }

    private var commandCases: String {
        nodes.map { node in
            let names = node.command.allOptions.flatMap { row in
                ["--\(row.name)"] + (row.short.map { ["-\($0)"] } ?? [])
            }
            let words = node.command.subcommands.map(\.name)
            let operand: String? =
                words.isEmpty
                ? node.command.operands.first.flatMap { Self.reply($0.completion) } : Self.reply(.oneOf(words))
            return """
                        "\(node.words)")
                            if [[ $current == -* ]]; then
                                \(Self.reply(.oneOf(names))!)
                            else
                                \(operand ?? ":")
                            fi ;;
                """
        }.joined(separator: "\n")
    }

    private static func reply(_ completion: ValueCompletion) -> String? {
        switch completion {
        case .nothing: nil
        case .file: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\")"
        case .directory: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$current\")"
        case .oneOf(let words):
            "mapfile -t COMPREPLY < <(compgen -W \(Shell.quoted(words.joined(separator: " "))) -- \"$current\")"
        }
    }
}
