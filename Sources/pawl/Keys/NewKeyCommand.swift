import IdentityProvider
import JOSE
import Primitives

/// `pawl keys new`
enum NewKeyCommand {
    static let algorithm =
        Option.value(
            "alg", .oneOf("ALG"), default: KeysCommand.standardAlgorithm.rawValue, "The algorithm that the key is for.")
        as Option<SignatureAlgorithm>
    static let keyID = Option.optional(
        "kid", .text("KID"), defaultNote: "the thumbprint of RFC 7638", "The identifier of the key.")
    static let rsaBits = Option.value(
        "rsa-bits", .count(in: 2048...8192), default: "2048", "The size of an RSA key, in bits.")
    static let format =
        Option.value(
            "format", .oneOf("FORMAT"), default: KeyFormat.jwk.rawValue, "How the key is written, without --keys.")
        as Option<KeyFormat>

    static let command = Command(
        "new", "Make a key",
        discussion: [
            "With --keys, the key is kept there and signs from now on: a running server takes it up at SIGHUP. The "
                + "key that signed before stays published until its last token has expired.",
            "Without, the private key is written to --output, or to standard output where that is no terminal.",
        ],
        examples: [
            .init(line: "pawl keys new --keys ./keys", meaning: "the next key of a server"),
            .init(line: "pawl keys new --alg EdDSA --format pem -o key.pem", meaning: "a key in a file"),
        ],
        options: [
            algorithm.row, KeysCommand.directory.row, keyID.row, rsaBits.row, format.row, PrivateOutput.output.row,
            CommonOptions.json.row,
        ]
    ) { (invocation) async throws(CommandFailure) in
        let arguments = invocation.arguments
        let output = arguments[PrivateOutput.output]
        if let directory = arguments[KeysCommand.directory] {
            guard output == nil, !arguments.isGiven(format) else {
                throw .usage("--keys keeps the key in the directory: there is no --output and no --format then")
            }
            return try keep(try makeKey(arguments), in: KeyStore(directory: directory), invocation)
        }
        guard output != nil || !invocation.console.outputIsTerminal else {
            throw .usage(
                "a private key is not shown on a terminal",
                hint: "Give --keys DIR or --output FILE, or --output - to see it.")
        }
        let key = try makeKey(arguments)
        let text = try arguments[format].text(of: [key.jwk], .includingPrivate)
        try PrivateOutput.write(text, to: output ?? "-", console: invocation.console)
    }

    private static func makeKey(_ arguments: Arguments) throws(CommandFailure) -> SigningKey {
        do throws(JWKError) {
            return try SigningKey.generate(
                arguments[algorithm], keyID: arguments[keyID], rsaBits: arguments[rsaBits])
        } catch {
            throw .environment(error.description)
        }
    }

    private static func keep(
        _ key: SigningKey, in store: KeyStore, _ invocation: Invocation
    ) throws(CommandFailure) {
        let former: KeyRing.Entry?
        do throws(KeyStoreError) {
            former = try store.update { state throws(KeyStoreError) in
                let now = SystemWallClock().now()
                state.catchUp(to: now, by: .fromOutside)
                let before = state.activeIndex(of: key.algorithm).map { state.keys[$0].key.keyID }
                try KeyStoreError.rejecting { () throws(KeyRingError) in
                    try state.rotateBeside(to: key, at: now, by: .fromOutside)
                }
                return state.keys.first { $0.key.keyID == before }
            }
        } catch {
            throw error.failure
        }
        if invocation.arguments[CommonOptions.json] {
            var object: JSONObject = ["kid": .string(key.keyID), "alg": .string(key.algorithm.name)]
            if let former { object["former"] = .object(ListKeysCommand.describe(former)) }
            return try invocation.console.print(JSON.object(object).text())
        }
        var text = "Key \(key.keyID) signs with \(key.algorithm.name) from now on; a running server needs SIGHUP."
        if let former, case .retiring(let publishedUntil) = former.role {
            text +=
                "\nKey \(former.key.keyID) stays published until \(publishedUntil.rfc3339(withMilliseconds: false))."
        }
        try invocation.console.print(text)
    }
}
