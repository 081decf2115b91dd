import HTTPMessages
import Primitives

extension ControlCommand {
    static let clock = Command(
        "clock", "Read and move the clock of the provider",
        subcommands: [
            leaf("show", "What time it is for the provider") { _, _ in ControlCall(.get, "/clock") },
            leaf(
                "set", "Set the clock",
                examples: [.init(line: "pawl ctl clock set 2030-01-02T03:04:05Z", meaning: "years from now")],
                options: [frozen.row], operands: [Operand("TIME", "Such as 2030-01-02T03:04:05Z.")]
            ) { arguments, _ in
                var body: JSONObject = ["now": .string(arguments.operands[0])]
                if arguments.isGiven(frozen) { body["frozen"] = .bool(arguments[frozen]) }
                return ControlCall(.put, "/clock", .object(body))
            },
            leaf(
                "advance", "Move the clock on",
                examples: [.init(line: "pawl ctl clock advance 1h", meaning: "let access tokens expire")],
                options: [back.row], operands: [Operand("DURATION", "Such as 90s or 1h30m.")]
            ) { arguments, _ in
                ControlCall(
                    .post, "/clock/advance", ["by": .string((arguments[back] ? "-" : "") + arguments.operands[0])])
            },
            leaf("freeze", "Stop the clock") { _, _ in ControlCall(.post, "/clock/freeze") },
            leaf("resume", "Let the clock go on") { _, _ in ControlCall(.post, "/clock/resume") },
            leaf("reset", "Back to the time of the machine") { _, _ in ControlCall(.post, "/clock/reset") },
        ])

    private static let frozen = Option.flag("frozen", "Have it stand still from then on; --frozen=false: go on.")
    private static let back = Option.flag("back", "Move it back.")
}
