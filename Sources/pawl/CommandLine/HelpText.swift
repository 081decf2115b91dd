/// The help of a command, made from its table.
struct HelpText {
    let command: Command
    let path: [String]
    /// Columns of the terminal.
    let width: Int

    private static let indentation = 2
    /// Where the explanations begin; longer names put theirs on the next line.
    private static let column = 28

    var text: String {
        var sections = [usage, [Self.sentence(command.summary)]]
        sections += command.discussion.map { wrapped($0, indentation: 0) }
        if !command.subcommands.isEmpty { sections.append(subcommands) }
        if !command.operands.isEmpty { sections.append(operands) }
        sections += options
        if !command.examples.isEmpty { sections.append(examples) }
        sections.append(exitCodes)
        if !command.subcommands.isEmpty {
            sections.append(["'\(path.joined(separator: " ")) COMMAND --help' says more about a command."])
        }
        return sections.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n")
    }

    private static func sentence(_ text: String) -> String {
        text.hasSuffix(".") ? text : text + "."
    }

    private var usage: [String] {
        var line = "Usage: " + path.joined(separator: " ")
        if command.run == nil {
            line += " COMMAND"
        } else {
            if !command.options.isEmpty { line += " [OPTIONS]" }
            for operand in command.operands {
                line += operand.isRequired ? " \(operand.placeholder)" : " [\(operand.placeholder)]"
            }
        }
        return [line]
    }

    private var subcommands: [String] {
        ["Commands:"] + command.subcommands.flatMap { entry($0.name, $0.summary) }
    }

    private var operands: [String] {
        ["Arguments:"] + command.operands.flatMap { entry($0.placeholder, $0.help) }
    }

    /// A section for each group, in the order in which the groups first occur.
    private var options: [[String]] {
        var groups: [OptionGroup] = []
        for row in command.allOptions where !groups.contains(row.group) { groups.append(row.group) }
        return groups.map { group in
            ["\(group.title):"]
                + command.allOptions.filter { $0.group == group }.flatMap { row in
                    entry(Self.synopsis(of: row), Self.explanation(of: row))
                }
        }
    }

    static func synopsis(of row: OptionRow) -> String {
        let short = row.short.map { "-\($0), " } ?? ""
        return short + "--\(row.name)" + (row.placeholder.map { " \($0)" } ?? "")
    }

    /// The help, then what a user wants to know next: whether it repeats, the choices, the default, the variable.
    static func explanation(of row: OptionRow) -> String {
        var notes: [String] = []
        if row.isRepeatable { notes.append("repeatable") }
        if case .oneOf(let choices) = row.completion { notes.append("one of: \(choices.joined(separator: ", "))") }
        if let note = row.defaultNote {
            notes.append("default: \(note)")
        } else if !row.defaults.isEmpty {
            notes.append("default: \(row.defaults.joined(separator: " "))")
        }
        if let variable = row.environment { notes.append("env: \(variable)") }
        return row.help + (notes.isEmpty ? "" : " [\(notes.joined(separator: "; "))]")
    }

    private var examples: [String] {
        ["Examples:"] + command.examples.flatMap { ["  # \($0.meaning)", "  \($0.line)"] }
    }

    private var exitCodes: [String] {
        ["Exit codes:"] + ExitCode.allCases.flatMap { entry("\($0.rawValue)", $0.meaning) }
    }

    private func entry(_ name: String, _ explanation: String) -> [String] {
        var lines = wrapped(explanation, indentation: Self.column)
        let head = String(repeating: " ", count: Self.indentation) + name
        if head.count + 2 <= Self.column, !lines.isEmpty {
            lines[0] = head + lines[0].dropFirst(head.count)
        } else {
            lines.insert(head, at: 0)
        }
        return lines
    }

    private func wrapped(_ text: String, indentation: Int) -> [String] {
        let margin = String(repeating: " ", count: indentation)
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if !line.isEmpty, indentation + line.count + 1 + word.count > max(width, indentation + 30) {
                lines.append(margin + line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return line.isEmpty ? lines : lines + [margin + line]
    }
}
