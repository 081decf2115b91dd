import Primitives

/// Takes a command line apart by the tables of a tree of commands.
struct ArgumentParser {
    /// What a command line asks for.
    enum Outcome {
        case run(Command, path: [String], Arguments)
        case help(Command, path: [String])
    }

    /// A command line that was not understood, and the command that it was for.
    struct Problem: Error {
        let path: [String]
        let message: String
        var hint: String?
    }

    let root: Command
    let environment: @Sendable (String) -> String?

    /// `arguments` without the name of the program.
    func parse(_ arguments: [String]) throws(Problem) -> Outcome {
        var command = root
        var path = [root.name]
        var rest = arguments[...]
        while command.run == nil {
            guard let word = rest.popFirst() else { return .help(command, path: path) }
            if word == "--help" || word == "-h" { return .help(command, path: path) }
            // What people try first with a program that they do not know.
            if word == "--version", let version = command.subcommand(named: "version") {
                return try parse(rest, of: version, path: path + [version.name])
            }
            if word == "help" { return try help(for: Array(rest), from: command, path: path) }
            guard let next = command.subcommand(named: word) else {
                throw unknownCommand(word, of: command, path: path)
            }
            command = next
            path.append(next.name)
        }
        return try parse(rest, of: command, path: path)
    }

    /// `pawl help keys new` is `pawl keys new --help`.
    private func help(for words: [String], from start: Command, path: [String]) throws(Problem) -> Outcome {
        var command = start
        var path = path
        for word in words where word != "--help" && word != "-h" {
            guard let next = command.subcommand(named: word) else {
                throw unknownCommand(word, of: command, path: path)
            }
            command = next
            path.append(next.name)
        }
        return .help(command, path: path)
    }

    private func unknownCommand(_ word: String, of command: Command, path: [String]) -> Problem {
        if word.hasPrefix("-") {
            return Problem(path: path, message: "unknown option \(Quotation.of(word)) (options follow the command)")
        }
        let suggestion = Suggestion.nearest(to: word, among: command.subcommands.map(\.name))
        return Problem(
            path: path, message: "there is no command \(Quotation.of(word))",
            hint: suggestion.map { "did you mean '\($0)'?" })
    }

    private func parse(
        _ words: ArraySlice<String>, of command: Command, path: [String]
    ) throws(Problem) -> Outcome {
        var rest = words
        var texts: [String: [String]] = [:]
        var operands: [String] = []
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            if word.hasPrefix("--") {
                try parseLong(word, &rest, of: command, path: path, into: &texts)
            } else if word.hasPrefix("-"), word != "-" {
                try parseShort(word, &rest, of: command, path: path, into: &texts)
            } else {
                operands.append(word)
            }
            if texts[Command.help.name] != nil { return .help(command, path: path) }
        }
        try check(operands, of: command, path: path)
        let given = try fillIn(&texts, of: command, path: path)
        return .run(command, path: path, Arguments(texts: texts, given: given, operands: operands))
    }

    private func parseLong(
        _ word: String, _ rest: inout ArraySlice<String>, of command: Command, path: [String],
        into texts: inout [String: [String]]
    ) throws(Problem) {
        let body = word.dropFirst(2)
        let name = String(body.prefix { $0 != "=" })
        let attached = body.contains("=") ? String(body.dropFirst(name.count + 1)) : nil
        guard let row = command.allOptions.first(where: { $0.name == name }) else {
            let suggestion = Suggestion.nearest(to: name, among: command.allOptions.map(\.name))
            throw Problem(
                path: path, message: "unknown option \(Quotation.of("--\(name)"))",
                hint: suggestion.map { "did you mean --\($0)?" })
        }
        if row.isFlag {
            try take(attached ?? "true", as: row, path: path, into: &texts)
        } else if let attached {
            try take(attached, as: row, path: path, into: &texts)
        } else {
            try take(valueOf: row, from: &rest, path: path, into: &texts)
        }
    }

    /// `-a`, `-ab` for two flags, `-f VALUE` and `-fVALUE`.
    private func parseShort(
        _ word: String, _ rest: inout ArraySlice<String>, of command: Command, path: [String],
        into texts: inout [String: [String]]
    ) throws(Problem) {
        var letters = word.dropFirst()
        while let letter = letters.popFirst() {
            guard let row = command.allOptions.first(where: { $0.short == letter }) else {
                throw Problem(
                    path: path, message: "unknown option -\(letter)",
                    hint: letters.isEmpty || command.operands.isEmpty
                        ? nil : "what begins with a dash and is no option comes after --")
            }
            if row.isFlag {
                try take("true", as: row, path: path, into: &texts)
            } else if letters.isEmpty {
                try take(valueOf: row, from: &rest, path: path, into: &texts)
            } else {
                return try take(String(letters), as: row, path: path, into: &texts)
            }
        }
    }

    private func take(
        valueOf row: OptionRow, from rest: inout ArraySlice<String>, path: [String],
        into texts: inout [String: [String]]
    ) throws(Problem) {
        guard let value = rest.first else {
            throw Problem(path: path, message: "--\(row.name) needs a value: \(row.placeholder ?? "")")
        }
        // A forgotten value would otherwise swallow the next option. A number may be negative.
        if value.hasPrefix("-"), value != "-", value.dropFirst().first?.isNumber != true {
            throw Problem(
                path: path, message: "--\(row.name) needs a value, and \(Quotation.of(value)) looks like an option",
                hint: "write --\(row.name)=… if it is the value")
        }
        rest.removeFirst()
        try take(value, as: row, path: path, into: &texts)
    }

    private func take(
        _ value: String, as row: OptionRow, path: [String], into texts: inout [String: [String]]
    ) throws(Problem) {
        if let problem = row.problem(value) { throw Problem(path: path, message: "--\(row.name): \(problem)") }
        texts[row.name, default: []].append(value)
    }

    private func check(_ operands: [String], of command: Command, path: [String]) throws(Problem) {
        if operands.count > command.operands.count {
            throw Problem(path: path, message: "unexpected argument \(Quotation.of(operands[command.operands.count]))")
        }
        if let missing = command.operands.dropFirst(operands.count).first(where: \.isRequired) {
            throw Problem(path: path, message: "\(missing.placeholder) is missing: \(missing.help)")
        }
    }

    /// To every pod beside a Service of the name `pawl`, Kubernetes says in `PAWL_PORT` where that is: `tcp://10.0.0.11:8080`.
    private static func isOfKubernetes(_ variable: String, _ value: String) -> Bool {
        variable == "PAWL_PORT" && value.hasPrefix("tcp://")
    }

    /// Variables and defaults for what was not given. Several values in a variable are separated by white space.
    private func fillIn(
        _ texts: inout [String: [String]], of command: Command, path: [String]
    ) throws(Problem) -> Set<String> {
        var given = Set(texts.keys)
        for row in command.allOptions where texts[row.name] == nil {
            guard let variable = row.environment, let value = environment(variable), !value.isEmpty,
                !Self.isOfKubernetes(variable, value)
            else {
                texts[row.name] = row.defaults
                continue
            }
            let values =
                row.isRepeatable ? value.split { $0 == " " || $0 == "\t" || $0 == "\n" }.map(String.init) : [value]
            for value in values {
                if let problem = row.problem(value) { throw Problem(path: path, message: "\(variable): \(problem)") }
            }
            texts[row.name] = values
            given.insert(row.name)
        }
        return given
    }
}
