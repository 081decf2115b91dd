import HTTPMessages
import Primitives

/// What may change while the provider runs, and what a user decides on a page elsewhere.
extension ControlCommand {
    static let settings = Command(
        "settings", "Look at the settings, and change them while the provider runs",
        discussion: [
            "They are the members of a configuration file ('pawl config schema'), and hold from the next request on. The server "
                + "has those of its configuration again after 'pawl ctl reset', and when it is started."
        ],
        subcommands: [
            leaf("show", "What the settings are") { _, _ in ControlCall(.get, "/settings") },
            leaf(
                "set", "Change one of them",
                examples: [
                    .init(
                        line: "pawl ctl settings set rotation okta,window=5s",
                        meaning: "refresh tokens by the rules of Okta"),
                    .init(
                        line: "pawl ctl settings set access_tokens.lifetime 1s",
                        meaning: "access tokens that are good for a second"),
                ],
                operands: [
                    Operand("NAME", "As 'settings show' has it; with a dot for a member of a member."),
                    Operand("VALUE", "As JSON, or a text as it is."),
                ]
            ) { (arguments, _) throws(CommandFailure) in
                try change(arguments.operands[0], to: arguments.operands[1])
            },
            leaf(
                "change", "Change several: all that are given, or none",
                examples: [
                    .init(
                        line: #"pawl ctl settings change '{"access_tokens": {"lifetime": "1s"}, "rotation": "auth0"}'"#,
                        meaning: "what is left out stays")
                ],
                operands: [Operand("JSON", "The members that change, as an object; '-' reads it from standard input.")]
            ) { (arguments, _) throws(CommandFailure) in
                ControlCall(.patch, "/settings", try object(arguments, at: 0))
            },
        ])

    static let device = Command(
        "device", "Decide on a device that waits, as its user would on the page",
        subcommands: [
            decision("approve", "Let the device have its tokens", approves: true),
            decision("deny", "Refuse the device", approves: false),
        ])

    private static func decision(_ name: String, _ summary: String, approves: Bool) -> Command {
        leaf(
            name, summary,
            operands: [
                Operand("CODE", "As the device shows it (user_code); dashes and case do not count."),
                Operand("USER", "The username of who decides."),
            ]
        ) { arguments, operands in
            ControlCall(
                .post, "/device/\(operands[0])",
                ["user": .string(arguments.operands[1]), "approve": .bool(approves)])
        }
    }

    private static func change(_ name: String, to text: String) throws(CommandFailure) -> ControlCall {
        guard let setting = SettingText(name: name, value: text) else {
            throw .usage("NAME: the name of a setting is expected", hint: "such as access_tokens.lifetime")
        }
        return ControlCall(.patch, "/settings", .object(setting.document))
    }
}
