/// One command: what it is called, what it takes, what it does. A command either has commands of its own or runs.
struct Command: Sendable {
    struct Example: Sendable {
        let line: String
        let meaning: String
    }

    let name: String
    /// One line, for the list of the command above.
    let summary: String
    /// Paragraphs for its own help.
    let discussion: [String]
    let examples: [Example]
    let options: [OptionRow]
    let operands: [Operand]
    let subcommands: [Command]
    let run: (@Sendable (Invocation) async throws(CommandFailure) -> Void)?

    /// A command that does something.
    init(
        _ name: String, _ summary: String, discussion: [String] = [], examples: [Example] = [],
        options: [OptionRow] = [], operands: [Operand] = [],
        run: @escaping @Sendable (Invocation) async throws(CommandFailure) -> Void
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.examples = examples
        self.options = options
        self.operands = operands
        subcommands = []
        self.run = run
    }

    /// A command that is a group of others.
    init(_ name: String, _ summary: String, discussion: [String] = [], subcommands: [Command]) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        examples = []
        options = []
        operands = []
        self.subcommands = subcommands
        run = nil
    }

    /// The options that every command has, then its own.
    var allOptions: [OptionRow] { options + [Self.help] }

    static let help = Option.flag("help", short: "h", "Show this help.").row

    func subcommand(named name: String) -> Command? {
        subcommands.first { $0.name == name }
    }
}
