import HTTPMessages
import IdentityProvider
import Primitives

/// Answers that are chosen: the next ones of an endpoint, and what the next logins say.
extension ControlCommand {
    static let next = Command(
        "next", "Choose what an endpoint answers next",
        subcommands: [
            listing(
                "List what waits for its request", "/next",
                ControlTable(
                    "next", "id", "endpoint", "client", "remaining", "when", "status", "headers", "body",
                    "access_token_claims", "id_token_claims", "members")),
            leaf(
                "add", "Choose the next answers", discussion: nextKinds,
                examples: [
                    .init(
                        line: "pawl ctl next add --error temporarily_unavailable --status 503 --count 2",
                        meaning: "fail twice, and be well again"),
                    .init(
                        line: "pawl ctl next add --error server_error --status 500 --when after --client web",
                        meaning: "the refresh token of web is spent, and its successor lost"),
                    .init(
                        line: #"pawl ctl next add --access-token-claims '{"aud": "somebody-else"}'"#,
                        meaning: "a token for another audience"),
                ],
                options: answerTexts.map(\.row) + [answerCount.row, answerStatus.row, answerField.row]
                    + answerObjects.map(\.row)
            ) { (arguments, _) throws(CommandFailure) in
                var body = JSONObject()
                for option in answerTexts { body[member(option)] = arguments[option].map { .string($0) } }
                for option in [answerCount, answerStatus] {
                    body[member(option)] = arguments[option].map { .number(JSONNumber(Int64($0))) }
                }
                try put(arguments[answerField], ofOption: "header", into: &body)
                for option in answerObjects {
                    guard let text = arguments[option] else { continue }
                    body[member(option)] = try object(text, in: "--\(option.row.name)")
                }
                return ControlCall(.post, "/next", .object(body))
            },
            removal("Take one back", "/next", id), clearing("Take all of them back", "/next"),
        ])

    static let nextClaims = Command(
        "next-claims", "Choose claims for the next logins",
        subcommands: [
            leaf("list", "List the claims that wait for a login", list: claimsTable) { _, _ in
                ControlCall(.get, "/logins/next-claims")
            },
            leaf(
                "set", "Put claims into every token that follows from the next login",
                discussion: [
                    "They count more than those of the user. What was set for the same user before is replaced, by an empty "
                        + "object taken back."
                ],
                examples: [
                    .init(
                        line: #"pawl ctl next-claims set '{"roles": ["auditor"]}' --user alice --count 2"#,
                        meaning: "alice is an auditor, twice")
                ],
                options: [claimsUser.row, claimsCount.row],
                operands: [Operand("CLAIMS", "A JSON object; '-' reads it from standard input.")], list: claimsTable
            ) { (arguments, _) throws(CommandFailure) in
                var body: JSONObject = ["claims": try object(arguments, at: 0)]
                body["user"] = arguments[claimsUser].map { .string($0) }
                body["count"] = arguments[claimsCount].map { .number(JSONNumber(Int64($0))) }
                return ControlCall(.put, "/logins/next-claims", .object(body))
            },
            clearing("Take all of them back", "/logins/next-claims"),
        ])

    private static let nextKinds = [
        "Claims and members change an answer that the endpoint makes; null takes one away. --status, --header, --body and "
            + "--error replace it. The endpoint does nothing then, unless --when is 'after': its work is done (a code is "
            + "consumed, a refresh token spent), and its own answer is lost.",
        "Without --endpoint, claims and members are for the next tokens, whether the token endpoint gives them or a redirect, "
            + "and whatever else is for the token endpoint.",
    ]

    private static let answerTexts = [
        Option.optional("endpoint", .text("NAME"), "Of this endpoint: token, authorize, userinfo, jwks, or its path."),
        Option.optional("client", .text("ID"), "For requests that name this client alone."),
        Option.optional("when", .text("WHEN"), "instead of the endpoint's work, or after it."),
        Option.optional("error", .text("CODE"), "An error of OAuth: invalid_grant. Status 400, unless it is given."),
        Option.optional("error-description", .text("TEXT"), "What goes with the error."),
        Option.optional("body", .text("TEXT"), "The content, be it JSON or not."),
    ]
    private static let answerCount = Option.optional("count", .count(in: 1...1_000_000), "For so many answers. [1]")
    private static let answerStatus = Option.optional("status", .count(in: 200...599), "The status.")
    private static let answerField = Option.list(
        "header", .text("NAME=VALUE"), "A header field of the answer; may be given several times.")
    private static let answerObjects = [
        Option.optional("access-token-claims", .text("JSON"), "An object, put over the claims of the access token."),
        Option.optional("id-token-claims", .text("JSON"), "The same, over those of the ID token."),
        Option.optional("members", .text("JSON"), "The same, over the members of the answer or of the redirect."),
    ]

    private static let claimsTable = ControlTable("waiting", "user", "claims", "remaining")
    private static let claimsUser = Option.optional(
        "user", .text("NAME"), "Of this user; of whoever is next without it.")
    private static let claimsCount = Option.optional("count", .count(in: 1...1_000_000), "For so many logins. [1]")
}
