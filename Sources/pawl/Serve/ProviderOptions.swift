import IdentityProvider
import JOSE

/// What a server issues, to whom, with which keys.
enum ProviderOptions {
    static let clientGroup = OptionGroup(title: "Clients")
    static let tokenGroup = OptionGroup(title: "Tokens and keys")

    static let client = Option.list(
        "client", ClientText.reader, in: clientGroup, environment: "PAWL_CLIENT",
        defaultNote: "service:secret, unless there is another",
        "A client, its secret and, separated by commas, the scopes that it may ask for; any, if there are none. Other "
            + "users of this machine can see what stands on a command line: for a secret that matters, use the variable "
            + "or --client-file.")
    static let clientFile = Option.optional(
        "client-file", .file, in: clientGroup, environment: "PAWL_CLIENT_FILE",
        "Clients as a JSON array of objects with client_id, client_secret and, if wanted, scope.")

    static let algorithm =
        Option.value(
            "alg", .oneOf("ALG"), default: KeysCommand.standardAlgorithm.rawValue, in: tokenGroup,
            environment: "PAWL_ALG",
            "The algorithm that access tokens are signed with.") as Option<SignatureAlgorithm>
    static let lifetime = Option.value(
        "token-lifetime", .duration, default: "5m", in: tokenGroup, environment: "PAWL_TOKEN_LIFETIME",
        "How long an access token is good, in whole seconds.")
    static let audience = Option.list(
        "audience", .text("AUD"), in: tokenGroup, environment: "PAWL_AUDIENCE", defaultNote: "the issuer",
        "The aud of access tokens.")
    static let keys = Option.optional(
        "keys", .directory, in: tokenGroup, environment: "PAWL_KEYS",
        defaultNote: "in memory, for this run only",
        "Keep the keys in this directory. A key made there by 'pawl keys new' is taken up at SIGHUP.")
    static let rotation = Option.optional(
        "rotate-keys-every", .duration, in: tokenGroup, environment: "PAWL_ROTATE_KEYS_EVERY", defaultNote: "never",
        "Make a new key so often, counted from when the last one was made. It is published before it signs, and the old "
            + "one until its last token has expired. Of servers that share --keys, only one is to do so.")
    static let crossOrigins = Option.list(
        "cors-origin", CrossOriginText.reader, in: clientGroup, environment: "PAWL_CORS_ORIGIN",
        defaultNote: "pages of this machine: localhost, the names below it, 127.0.0.0/8 and ::1, on any port",
        "Let pages of this origin, such as https://app.example, read tokens and refusals, in place of those of this "
            + "machine. any: every page that a browser shows.")

    static let rows = [
        client.row, clientFile.row, crossOrigins.row, algorithm.row, lifetime.row, audience.row, keys.row, rotation.row,
    ]
}
