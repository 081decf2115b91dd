import IdentityProvider
import JOSE
import Primitives

/// `pawl keys export`
enum ExportKeysCommand {
    static let key = Option.optional(
        "key", .file, "Export this key instead: a PEM, JWK or JWKS file; - is standard input.")
    static let keyID = Option.optional("kid", .text("KID"), "Export the key of this identifier only.")
    static let format =
        Option.value(
            "format", .oneOf("FORMAT"), default: KeyFormat.jwks.rawValue, "How the keys are written.")
        as Option<KeyFormat>
    static let includePrivate = Option.flag("private", "Export private keys. Requires --output.")

    static let command = Command(
        "export", "Write keys for others: public ones unless told otherwise",
        examples: [
            .init(line: "pawl keys export --keys ./keys > jwks.json", meaning: "what a verifier needs"),
            .init(
                line: "pawl keys export --keys ./keys --kid KID --private --format pem -o key.pem",
                meaning: "a private key, into a file that nobody else may read"),
            .init(line: "pawl keys export --key key.pem --format jwk", meaning: "the public half of a PEM file as JWK"),
        ],
        options: [
            KeysCommand.directory.row, key.row, keyID.row, format.row, includePrivate.row, PrivateOutput.output.row,
        ]
    ) { (invocation) async throws(CommandFailure) in
        let arguments = invocation.arguments
        var keys = try readKeys(arguments)
        if let wanted = arguments[keyID] {
            keys = keys.filter { $0.keyID == wanted }
            guard !keys.isEmpty else { throw .refused("there is no key \(wanted)") }
        }
        let output = arguments[PrivateOutput.output]
        guard arguments[includePrivate] else {
            // PEM has no way to leave a secret out of a list: say so only where it was asked for by name.
            if arguments[format] == .pem, arguments[keyID] == nil {
                keys.removeAll { if case .symmetric = $0.material { true } else { false } }
            }
            let text = try arguments[format].text(of: keys, .publicOnly)
            guard let output, output != "-" else { return try invocation.console.print(text, terminator: "") }
            do throws(FileError) {
                return try FileSystem.create(output, with: Array(text.utf8), mode: 0o644)
            } catch {
                throw error.failure
            }
        }
        guard let output else {
            throw .usage(
                "private keys are written to a file only",
                hint: "Say which with --output FILE, or --output - if you must.")
        }
        guard keys.allSatisfy(\.isPrivate) else {
            throw .refused("a key is public: it has no private half to export", hint: "Choose another with --kid.")
        }
        let text = try arguments[format].text(of: keys, .includingPrivate)
        try PrivateOutput.write(text, to: output, console: invocation.console)
    }

    private static func readKeys(_ arguments: Arguments) throws(CommandFailure) -> [JWK] {
        if let file = arguments[key] { return try KeyMaterialFile.read(file) }
        guard let directory = arguments[KeysCommand.directory] else {
            throw .usage("either --keys or --key is needed: which keys?")
        }
        var state = try ListKeysCommand.loadKeys(of: directory)
        state.catchUp(to: SystemWallClock().now(), by: .fromOutside)
        return state.keys.map(\.key.jwk)
    }
}
