/// The shells that completions can be made for.
enum Shell: String, CaseIterable, Sendable {
    case bash, zsh, fish

    /// A script that the shell reads, made from the tables of the commands.
    func completions(for root: Command) -> String {
        let nodes = CommandNode.all(below: root)
        return switch self {
        case .bash: BashCompletions(nodes: nodes).script
        case .zsh: ZshCompletions(nodes: nodes).script
        case .fish: FishCompletions(nodes: nodes).script
        }
    }

    /// Where the script goes, said in the help.
    var installation: String {
        switch self {
        case .bash: "source <(pawl completions bash)"
        case .zsh: "pawl completions zsh > ~/.zsh/completions/_pawl  (a directory of $fpath)"
        case .fish: "pawl completions fish > ~/.config/fish/completions/pawl.fish"
        }
    }

    /// The text as one word of a shell: in single quotes.
    static func quoted(_ text: String) -> String {
        "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// A command and the words that lead to it.
struct CommandNode {
    let path: [String]
    let command: Command

    var words: String { path.joined(separator: " ") }

    /// The command itself and every command below it.
    static func all(below command: Command, path: [String] = []) -> [CommandNode] {
        let path = path + [command.name]
        return [CommandNode(path: path, command: command)]
            + command.subcommands.flatMap { all(below: $0, path: path) }
    }
}
