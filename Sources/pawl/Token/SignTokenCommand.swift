import IdentityProvider
import JOSE
import Primitives

/// `pawl token sign`
enum SignTokenCommand {
    static let type = Option.value("typ", .text("TYPE"), default: "JWT", "The typ in the header, such as at+jwt.")

    static let command = Command(
        "sign", "Sign a token of any claims and print it",
        examples: [
            .init(
                line: "pawl token sign --keys ./keys --subject alice --audience api --claim roles='[\"admin\"]'",
                meaning: "a token by the key of a server"),
            .init(
                line: "echo '{\"sub\":\"alice\"}' | pawl token sign --secret-file secret --claims - --expires-in -1m",
                meaning: "one that has expired"),
        ],
        options: SigningKeyOptions.rows + ClaimOptions.rows + [type.row, CommonOptions.json.row]
    ) { (invocation) async throws(CommandFailure) in
        let arguments = invocation.arguments
        let claims = try ClaimOptions.read(arguments, now: SystemWallClock().now())
        // A token whose registered claims nobody could read is a slip.
        let checked: JWTClaims
        do throws(JWTError) { checked = try JWTClaims(claims) } catch { throw .badInput(error.description) }
        let key = try SigningKeyOptions.read(arguments, signingUntil: checked.expires)
        let token: String
        do throws(JWSError) {
            token = try JWTSigner(key: key, type: arguments[type]).sign(claims)
        } catch {
            throw .environment(error.description)
        }
        if arguments[CommonOptions.json] {
            let object: JSONObject = [
                "token": .string(token), "alg": .string(key.algorithm.name), "kid": .string(key.keyID),
                "claims": .object(claims),
            ]
            try invocation.console.print(JSON.object(object).text())
        } else {
            try invocation.console.print(token)
        }
    }
}
