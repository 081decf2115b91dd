import JOSE
import Primitives

/// `pawl token verify`
enum VerifyTokenCommand {
    static let group = OptionGroup(title: "What the token must say")

    static let issuer = Option.optional("issuer", .text("URL"), in: group, defaultNote: "not checked", "iss")
    static let audience = Option.list(
        "audience", .text("AUD"), in: group, defaultNote: "not checked", "aud must name one of these.")
    static let type = Option.optional(
        "typ", .text("TYPE"), in: group, defaultNote: "not checked", "The typ in the header, such as at+jwt.")
    static let require = Option.list(
        "require", .text("CLAIM"), default: ["exp"], in: group, "A claim that must be there, whatever it says.")
    static let leeway = Option.value(
        "leeway", .durationOrZero, default: "0", in: group, "How far the clocks may differ.")
    static let maximumAge = Option.optional("max-age", .duration, in: group, "How long ago iat may be.")
    static let at = Option.optional("at", .moment, in: group, defaultNote: "now", "The time to verify at.")

    static let command = Command(
        "verify", "Verify a token and print its claims",
        discussion: [
            "Prints the claims and exits with 0 if a key signed the token and it says what it must; prints the reason "
                + "and exits with 1 if not."
        ],
        examples: [
            .init(
                line: "curl -s http://127.0.0.1:8080/jwks.json | pawl token verify token.txt --jwks - --typ at+jwt",
                meaning: "a token of a running server"),
            .init(
                line: "pawl token verify - --key public.pem --issuer https://id.example --audience api < token.txt",
                meaning: "everything that a service should check"),
        ],
        options: VerificationKeyOptions.rows
            + [
                issuer.row, audience.row, type.row, require.row, leeway.row, maximumAge.row, at.row,
                CommonOptions.json.row,
            ],
        operands: [TokenOperand.operand]
    ) { (invocation) async throws(CommandFailure) in
        let arguments = invocation.arguments
        let usesInput =
            (arguments[VerificationKeyOptions.key] + arguments[VerificationKeyOptions.jwks]).contains("-")
        guard !(usesInput && arguments.operands[0] == "-") else {
            throw .usage("the token and the keys cannot both come from standard input")
        }
        let keys = try VerificationKeyOptions.read(arguments)
        let token = try TokenOperand.read(arguments.operands[0])
        let moment = arguments[at] ?? SystemWallClock().now()
        let verified: VerifiedJWT
        do throws(JWTError) {
            verified = try policy(arguments).verify(token, keys: keys, at: moment)
        } catch {
            return try invocation.report(refusal: error)
        }
        try invocation.report(verified)
    }

    private static func policy(_ arguments: Arguments) -> JWTPolicy {
        let audiences = arguments[audience]
        return JWTPolicy(
            issuer: arguments[issuer].map { .exactly($0) } ?? .unchecked,
            audience: audiences.isEmpty ? .unchecked : .oneOf(audiences),
            type: arguments[type].map { .exactly($0) } ?? .unchecked,
            leeway: arguments[leeway], requiredClaims: arguments[require], maximumAge: arguments[maximumAge],
            limits: .standard)
    }
}

extension Invocation {
    fileprivate func report(_ verified: VerifiedJWT) throws(CommandFailure) {
        let claims = JSON.object(verified.claims.members)
        guard arguments[CommonOptions.json] else { return try console.print(claims.text(pretty: true), terminator: "") }
        var object: JSONObject = ["verified": true, "alg": .string(verified.algorithm.name)]
        if let keyID = verified.keyID { object["kid"] = .string(keyID) }
        object["claims"] = claims
        try console.print(JSON.object(object).text())
    }

    fileprivate func report(refusal error: JWTError) throws(CommandFailure) {
        guard arguments[CommonOptions.json] else { throw .refused("refused: \(error.description)") }
        let object: JSONObject = ["verified": false, "reason": .string(error.description)]
        try console.print(JSON.object(object).text())
        throw .refused("")
    }
}
