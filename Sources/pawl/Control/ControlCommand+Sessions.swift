import HTTPMessages
import Primitives

/// What has happened: families, sessions, requests.
extension ControlCommand {
    static let families = Command(
        "families", "Look at the refresh tokens of a family as a tree",
        subcommands: [
            listing(
                "List families", "/families",
                ControlTable("families", "id", "client", "user", "login", "began", "live", "ended.reason"),
                [user, client, login, limit, format]),
            leaf(
                "show", "A family, or all of a login",
                examples: [.init(line: "pawl ctl families show ID --format dot | dot -Tsvg", meaning: "draw it")],
                options: [format.row], operands: [Operand("ID", "Of a family, or of a login.")],
                list: ControlTable("families", "id", "client", "user", "live", "earlier", "tokens", "ended")
            ) { arguments, operands in
                var call = ControlCall(.get, "/families/\(operands[0])")
                call.add("format", arguments[format])
                return call
            },
        ])

    static let sessions = Command(
        "sessions", "Look at sessions, begin and end them",
        subcommands: [
            listing(
                "List what was authorised", "/sessions",
                ControlTable("families", "id", "client", "user", "scope", "login", "began", "ended.reason"),
                [user, client, limit]),
            listing(
                "List logins", "/sessions",
                ControlTable(
                    "logins", "id", "user", "authenticated_at", "methods", "clients", "expires", "ended.reason"),
                name: "logins", [user, client, limit]),
            leaf(
                "create", "Log a user in at a client, without a browser",
                options: [scope.row, nonce.row, resource.row],
                operands: [Operand("USER", "A username."), Operand("CLIENT", "The client's identifier.")]
            ) { arguments, _ in
                var body: JSONObject = [
                    "user": .string(arguments.operands[0]), "client": .string(arguments.operands[1]),
                ]
                for option in [scope, nonce] { body[member(option)] = arguments[option].map { .string($0) } }
                let resources = arguments[resource]
                if !resources.isEmpty { body["resources"] = .array(resources.map { .string($0) }) }
                return ControlCall(.post, "/sessions", .object(body))
            },
            removal("End a login or a family", "/sessions", Operand("ID", "Of a family, or of a login."), name: "end"),
            leaf(
                "clear", "End all of them, or those of a user or of a client",
                examples: [
                    .init(
                        line: "pawl ctl sessions clear --user alice --client web", meaning: "alice is out of web alone")
                ], options: [user.row, client.row]
            ) { arguments, _ in
                var call = ControlCall(.delete, "/sessions")
                for filter in [user, client] { call.add(member(filter), arguments[filter]) }
                return call
            },
        ])

    static let requests = Command(
        "requests", "Look at the last requests",
        subcommands: [
            listing(
                "List the last requests, or wait for the next", "/requests",
                ControlTable(
                    "requests", "id", "time", "method", "path", "status", "client_id", "grant_type", "families",
                    "logins", "refresh.node", "refresh.verdict", "error", "user_agent", cutting: "user_agent"),
                [
                    client, path, grantType, userAgent, label, family, endedLogin, verdict, status, since,
                    limitOfRequests, wait,
                ],
                examples: [
                    .init(
                        line: "pawl ctl requests list --verdict refused --wait 30s",
                        meaning: "wait for the next refresh that is refused")
                ]),
            clearing("Forget them", "/requests"),
        ])

    private static let login = Option.optional("login", .text("ID"), "Of this login.")
    private static let format = Option.optional("format", .text("FORMAT"), "One of json, dot, mermaid.")
    private static let scope = Option.optional("scope", .text("SCOPE"), "What the client gets.")
    private static let nonce = Option.optional("nonce", .text("TEXT"), "That of the ID token.")
    private static let resource = Option.list(
        "resource", .text("URI"), "Where the tokens are for (RFC 8707); may be given several times.")
    private static let path = Option.optional("path", .text("PATH"), "To this path: /token.")
    private static let family = Option.optional("family", .text("ID"), "Those that are about this family.")
    private static let endedLogin = Option.optional("login", .text("ID"), "Those that ended this login.")
    private static let grantType = Option.optional("grant-type", .text("TYPE"), "Token requests with this grant.")
    private static let userAgent = Option.optional(
        "user-agent", .text("TEXT"), "With this very User-Agent; the table has its beginning, --json all of it.")
    private static let label = Option.optional("label", .text("TEXT"), "With this very Pawl-Label.")
    private static let verdict = Option.optional(
        "verdict", .text("VERDICT"), "Refreshes with this outcome: rotated, kept, replayed, refused.")
    private static let status = Option.optional("status", .text("STATUS"), "Answered with this status.")
    private static let since = Option.optional("since", .text("N"), "Those after the one with this number.")
    private static let limitOfRequests = Option.optional(
        "limit", .text("N"), "The last so many; with --since or --wait the first.")
}
