import HTTPMessages
import IdentityProvider
import Primitives

/// What happens to requests on their way: faults and barriers.
extension ControlCommand {
    static let faults = Command(
        "faults", "Have something go wrong",
        subcommands: [
            listing(
                "List the faults", "/faults",
                ControlTable(
                    "faults", "id", "fault", "at", "for", "status", "client", "endpoint", "nth", "count", "fired")),
            leaf(
                "add", "Have something go wrong", discussion: faultKinds,
                examples: [
                    .init(
                        line: "pawl ctl faults add drop --endpoint token --client web --nth 2",
                        meaning: "lose the second answer to the client web, after its token was spent"),
                    .init(
                        line: "pawl ctl faults add delay --for 2s --at refresh.received",
                        meaning: "judge a refresh late"),
                ],
                options: filters + [at.row, delay.row, bytes.row, status.row, nth.row, count.row],
                operands: [Operand("FAULT", "One of delay, drop, cut, repeat, status, store.")]
            ) { (arguments, _) throws(CommandFailure) in
                var body: JSONObject = ["fault": .string(arguments.operands[0])]
                try put(arguments[header], ofOption: "header", into: &body)
                put(filterOptions + [at, delay], of: arguments, into: &body)
                for option in [bytes, status, nth, count] {
                    if let number = arguments[option] { body[member(option)] = .number(JSONNumber(Int64(number))) }
                }
                return ControlCall(.post, "/faults", .object(body))
            },
            showing("One fault", "/faults", id), removal("Take a fault back", "/faults", id),
            clearing("Take all faults back", "/faults"),
        ])

    static let barriers = Command(
        "barriers", "Hold requests until all are there, and let them go in an order",
        subcommands: [
            listing(
                "List the barriers", "/barriers",
                ControlTable("barriers", "id", "state", "at", "until", "count", "order", "sequence", "held", "released")
            ),
            leaf(
                "add", "Hold requests at a checkpoint", discussion: [checkpoints],
                examples: [
                    .init(
                        line: "pawl ctl barriers add refresh.received --count 2 --order label --sequence A,B",
                        meaning: "the refresh with 'Pawl-Label: A' is judged before that with B, whichever comes first")
                ],
                options: filters + [until.row, count.row, order.row, sequence.row, timeout.row],
                operands: [Operand("CHECKPOINT", "Where they wait, such as refresh.received.")]
            ) { (arguments, _) throws(CommandFailure) in
                var body: JSONObject = ["at": .string(arguments.operands[0])]
                try put(arguments[header], ofOption: "header", into: &body)
                put(filterOptions + [until, order, timeout], of: arguments, into: &body)
                if let number = arguments[count] { body["count"] = .number(JSONNumber(Int64(number))) }
                if let names = arguments[sequence] {
                    body["sequence"] = .array(names.split(separator: ",").map { .string(String($0)) })
                }
                return ControlCall(.post, "/barriers", .object(body))
            },
            leaf(
                "show", "One barrier, or wait until it is over",
                examples: [
                    .init(
                        line: "pawl ctl barriers show 1 --wait 10s --held 1", meaning: "wait until one request is there"
                    )
                ], options: [wait.row, held.row], operands: [id], missing: hasNotMet
            ) { arguments, operands in
                var call = ControlCall(.get, "/barriers/\(operands[0])")
                call.add("wait", arguments[wait])
                call.add("held", arguments[held].map(String.init))
                return call
            },
            leaf("open", "Let those go that are there", operands: [id]) { _, operands in
                ControlCall(.post, "/barriers/\(operands[0])/open")
            },
            removal("Take a barrier away", "/barriers", id), clearing("Take all barriers away", "/barriers"),
        ])

    /// What a barrier that was waited for has not seen.
    private static let hasNotMet: @Sendable (JSON, Arguments) -> String? = { barrier, arguments in
        guard arguments[wait] != nil, let state = barrier["state"]?.string else { return nil }
        if state == Barrier.Phase.timedOut.rawValue { return "the barrier has timed out before all had come" }
        let count = (barrier["held"]?.array?.count ?? 0) + (barrier["released"]?.array?.count ?? 0)
        if let wanted = arguments[held] {
            return count < wanted ? "\(count) came, of \(wanted), before the time was over" : nil
        }
        return state == Barrier.Phase.done.rawValue ? nil : "the barrier was not over before the time was"
    }

    private static let faultKinds = [
        "delay: the request waits at --at for --for. drop: the work is done, and the connection is closed without an answer. "
            + "cut: the answer ends in the middle, or after --bytes. repeat: it is sent twice. status: the work is done, and "
            + "--status is the answer. store: the store refuses whatever it is asked, and the answer is 503.",
        checkpoints,
    ]

    private static let checkpoints =
        "Checkpoints are " + Checkpoint.holdable.map(\.rawValue).joined(separator: ", ") + "."

    private static let endpoint = Option.optional("endpoint", .text("NAME"), "Requests to this endpoint: token.")
    private static let grantType = Option.optional("grant-type", .text("TYPE"), "Token requests with this grant.")
    private static let family = Option.optional("family", .text("ID"), "Those that present a refresh token of it.")
    private static let filterOptions = [endpoint, client, grantType, family]
    private static let filters = filterOptions.map(\.row) + [header.row]

    private static let at = Option.optional("at", .text("CHECKPOINT"), "Where it happens, such as refresh.committed.")
    private static let delay = Option.optional("for", .text("DURATION"), "How long a delay is, such as 500ms.")
    private static let bytes = Option.optional("bytes", .count(in: 0...(1 << 20)), "Of the content, before it is cut.")
    private static let status = Option.optional("status", .count(in: 200...599), "The status that is answered.")
    private static let nth = Option.optional("nth", .count(in: 1...1_000_000), "The first request that suffers it.")
    private static let count = Option.optional("count", .count(in: 1...1_000_000), "How many requests.")
    private static let until = Option.optional(
        "until", .text("CHECKPOINT"), "What one passes before the next is let go.")
    private static let order = Option.optional("order", .text("ORDER"), "One of arrival, reverse, client, label.")
    private static let sequence = Option.optional("sequence", .text("NAMES"), "Clients or labels, with commas: A,B.")
    private static let timeout = Option.optional("timeout", .text("DURATION"), "How long the first one waits at most.")

    private static let held = Option.optional(
        "held", .count(in: 1...1000), "With --wait: until so many requests are there.")
    private static let header = Option.list(
        "header", .text("NAME=VALUE"), "Requests that have this header field; may be given several times.")

    private static func put(_ options: [Option<String?>], of arguments: Arguments, into body: inout JSONObject) {
        for option in options {
            guard let text = arguments[option] else { continue }
            body[member(option)] = .string(text)
        }
    }
}
