/// Completions for fish.
struct FishCompletions {
    let nodes: [CommandNode]

    var script: String {
        """
        # Completions of pawl for fish.
        function __pawl_at --description 'Whether the command line has come to this command'
            set -l command pawl
            for word in (commandline -opc)[2..]
                switch "$command $word"
                    case \(nodes.dropFirst().map { Shell.quoted($0.words) }.joined(separator: " "))
                        set command "$command $word"
                end
            end
            test "$command" = "$argv[1]"
        end
        complete -c pawl -f
        \(nodes.flatMap(lines).joined(separator: "\n"))

        """
    }

    private func lines(of node: CommandNode) -> [String] {
        let start = "complete -c pawl -n \(Self.quoted("__pawl_at " + Self.quoted(node.words)))"
        var lines = node.command.subcommands.map { "\(start) -a \($0.name) -d \(Self.quoted($0.summary))" }
        lines += node.command.allOptions.map { row in
            var line = "\(start) -l \(row.name)"
            if let short = row.short { line += " -s \(short)" }
            if !row.isFlag { line += " " + Self.value(row.completion) }
            return line + " -d \(Self.quoted(row.help))"
        }
        if let operand = node.command.operands.first, operand.completion != .nothing {
            lines.append("\(start) \(Self.operand(operand.completion)) -d \(Self.quoted(operand.placeholder))")
        }
        return lines
    }

    private static func value(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: "-x"
        case .file: "-r -F"
        case .directory: "-x -a '(__fish_complete_directories)'"
        case .oneOf(let words): "-x -a \(quoted(words.joined(separator: " ")))"
        }
    }

    private static func operand(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: ""
        case .file: "-F"
        case .directory: "-a '(__fish_complete_directories)'"
        case .oneOf(let words): "-a \(quoted(words.joined(separator: " ")))"
        }
    }

    /// fish knows `\\` and `\'` inside single quotes.
    private static func quoted(_ text: String) -> String {
        var result = "'"
        for character in text {
            if character == "'" || character == "\\" { result += "\\" }
            result.append(character)
        }
        return result + "'"
    }
}
