import HTTPMessages
import Primitives

/// Tokens that a test wants signed, and those that it wants no good any more.
extension ControlCommand {
    static let tokens = Command(
        "tokens", "Sign tokens with any claims, and revoke those that clients were given",
        subcommands: [
            leaf(
                "sign", "Sign a token with any claims",
                discussion: [
                    "iss, iat, exp (five minutes on) and jti are added unless CLAIMS has them, and typ and kid unless "
                        + "--header has them; null leaves one out. 'pawl token sign' signs with a key in a file."
                ],
                examples: [
                    .init(
                        line: #"pawl ctl tokens sign '{"sub": "alice", "aud": "api", "exp": 1}'"#,
                        meaning: "a token that has expired"),
                    .init(
                        line: #"pawl ctl tokens sign '{"sub": "alice"}' --key unpublished"#,
                        meaning: "one that a stranger has signed"),
                    .init(
                        line: #"pawl ctl tokens sign '{"sub": "alice"}' --header '{"typ": null}'"#,
                        meaning: "one that does not say what it is"),
                ],
                options: [algorithm.row, kid.row, type.row, header.row, key.row, signature.row],
                operands: [Operand("CLAIMS", "A JSON object; '-' reads it from standard input.")],
                answer: "token"
            ) { (arguments, _) throws(CommandFailure) in
                var body: JSONObject = ["claims": try object(arguments, at: 0)]
                for option in [algorithm, kid, type, key, signature] {
                    if let text = arguments[option] { body[option.row.name] = .string(text) }
                }
                if let text = arguments[header] { body["header"] = try object(text, in: "--header") }
                return ControlCall(.post, "/tokens", .object(body))
            },
            leaf(
                "revoke", "Revoke a token that a client was given",
                discussion: [
                    "A refresh token ends its family with all that follows from it, whichever of the family it is. An access "
                        + "token ends alone."
                ],
                examples: [.init(line: "pawl ctl tokens revoke - < token.txt", meaning: "a token in a file")],
                operands: [TokenOperand.operand]
            ) { (arguments, _) throws(CommandFailure) in
                ControlCall(
                    .post, "/tokens/revoke", ["token": .string(try TokenOperand.read(arguments.operands[0]))])
            },
        ])

    private static let algorithm = Option.optional("alg", .text("ALG"), "Sign by this algorithm.")
    private static let kid = Option.optional("kid", .text("KID"), "With this key of the server.")
    private static let type = Option.optional("type", .text("TYPE"), "typ of the header, such as JWT. [at+jwt]")
    private static let header = Option.optional(
        "header", .text("JSON"), "Other parameters of the header: an object, in which null leaves one out.")
    private static let key = Option.optional(
        "key", .text("WHICH"), "unpublished: with a fresh key that nobody knows.")
    private static let signature = Option.optional("signature", .text("HOW"), "broken: one bit of it is wrong.")
}
