import HTTPMessages
import IdentityProvider
import Primitives

/// `pawl ctl …`: the control API of a server that runs.
enum ControlCommand {
    static let command = Command(
        "ctl", "Look at a server that runs, and change it, through its control API",
        discussion: [
            "To watch two clients refresh at once: 'pawl ctl events --follow' in one terminal, and in another 'pawl ctl "
                + "barriers add refresh.received'. The next two refreshes then wait for each other.",
            "The server is that of --url or PAWL_URL. One that wants a secret gets it from --control-secret-file, "
                + "PAWL_CONTROL_SECRET_FILE or PAWL_CONTROL_SECRET; it is on no command line.",
        ],
        subcommands: [
            clock, faults, barriers, families, sessions, requests, EventsCommand.command, users, clients, tenants, keys,
            tokens, settings, next, nextClaims, device,
            leaf("show", "What the control API is here, and where it is described") { _, _ in ControlCall(.get, "") },
            leaf("reset", "Forget everything that has happened") { _, _ in ControlCall(.post, "/reset") },
        ])

    /// A command that is one operation.
    ///
    /// - Parameters:
    ///   - list: the member of the answer that is a list, and the columns of its table.
    ///   - member: the member of the answer that was asked for, and is printed alone.
    ///   - missing: what has not happened that was waited for, by the answer; then the command fails after it has printed it.
    ///   - call: is told the operands, each fit for a path.
    static func leaf(
        _ name: String, _ summary: String, discussion: [String] = [], examples: [Command.Example] = [],
        options: [OptionRow] = [], operands: [Operand] = [], list: ControlTable? = nil, answer member: String? = nil,
        missing: @escaping @Sendable (JSON, Arguments) -> String? = { _, _ in nil },
        call: @escaping @Sendable (Arguments, [String]) throws(CommandFailure) -> ControlCall
    ) -> Command {
        Command(
            name, summary, discussion: discussion, examples: examples,
            options: options + ControlServerOptions.rows + [CommonOptions.json.row], operands: operands
        ) { (invocation) async throws(CommandFailure) in
            let arguments = invocation.arguments
            let operands = arguments.operands.map(ControlCall.segment)
            let call = try call(arguments, operands)
            let answer = try await ControlServerOptions.withServer(arguments) {
                (server) async throws(CommandFailure) in
                try await server.send(call)
            }
            try ControlAnswerText(answer: answer, list: list, member: member, asJSON: arguments[CommonOptions.json])
                .print(to: invocation.console)
            if let json = try? JSON(parsing: answer.span), let missing = missing(json, arguments) {
                throw .refused(missing)
            }
        }
    }

    /// One that reads.
    static func listing(
        _ summary: String, _ path: String, _ table: ControlTable, name: String = "list",
        _ filters: [Option<String?>] = [], examples: [Command.Example] = []
    ) -> Command {
        leaf(
            name, summary, examples: examples, options: filters.map(\.row), list: table,
            missing: { answer, arguments in
                guard arguments.isGiven(wait), answer[table.member]?.array?.isEmpty == true else { return nil }
                return "nothing came that fits before the time was over"
            }
        ) { arguments, _ in
            var call = ControlCall(.get, path)
            for filter in filters { call.add(member(filter), arguments[filter]) }
            return call
        }
    }

    /// What an option is called in JSON and in a query.
    static func member<Value>(_ option: Option<Value>) -> String {
        String(option.row.name.map { $0 == "-" ? "_" : $0 })
    }

    /// One that reads what its operand names.
    static func showing(_ summary: String, _ path: String, _ operand: Operand) -> Command {
        leaf("show", summary, operands: [operand]) { _, operands in ControlCall(.get, "\(path)/\(operands[0])") }
    }

    /// One that removes what its operand names.
    static func removal(_ summary: String, _ path: String, _ operand: Operand, name: String = "remove") -> Command {
        leaf(name, summary, operands: [operand]) { _, operands in ControlCall(.delete, "\(path)/\(operands[0])") }
    }

    static func clearing(_ summary: String, _ path: String) -> Command {
        leaf("clear", summary) { _, _ in ControlCall(.delete, path) }
    }

    /// Header fields by their names, as `headers` of the body.
    static func put(
        _ fields: [String], ofOption option: String, into body: inout JSONObject
    ) throws(CommandFailure) {
        var headers = JSONObject()
        for text in fields {
            guard let mark = text.firstIndex(of: "=") else {
                throw .usage("--\(option): NAME=VALUE is expected", hint: "such as --\(option) X-Test=mine")
            }
            headers[String(text[..<mark])] = .string(String(text[text.index(after: mark)...]))
        }
        if !headers.isEmpty { body["headers"] = .object(headers) }
    }

    static let id = Operand("ID", "Its number in the list.")
    static let user = Option.optional("user", .text("NAME"), "Of the user with this name.")
    static let client = Option.optional("client", .text("ID"), "Of the client with this identifier.")
    static let limit = Option.optional("limit", .text("N"), "So many at most, the newest first.")
    static let wait = Option.optional("wait", .text("DURATION"), "How long to wait at most, such as 10s.")
}
