import IdentityProvider
import JOSE

/// What a server issues, to whom, with which keys.
enum ProviderOptions {
    static let clientGroup = OptionGroup(title: "Clients")
    static let tokenGroup = OptionGroup(title: "Tokens and keys")

    static let client = Option.list(
        "client", ClientText.reader, in: clientGroup, environment: "PAWL_CLIENT",
        defaultNote: "service:secret, unless there is another client",
        "A client, its secret and, separated by commas, the scopes that it may ask for; any, if there are none. Other "
            + "users of this machine can see what stands on a command line: for a secret that matters, use the variable "
            + "or --client-file.")
    static let clientFile = Option.optional(
        "client-file", .file, in: clientGroup, environment: "PAWL_CLIENT_FILE",
        "Clients as a JSON array of objects with client_id, client_secret and, if wanted, scope.")

    static let publicClient = Option.list(
        "public-client", PublicClientText.reader, in: clientGroup, environment: "PAWL_PUBLIC_CLIENT",
        defaultNote: "web and native, unless there is another client",
        "A client without a secret, and where users are sent back to; without that, /callback and / of this machine on "
            + "any port. Several for one client: give it again.")
    static let anyClient = Option.flag(
        "any-client", in: clientGroup, environment: "PAWL_ANY_CLIENT",
        "Take clients that nobody registered as they come, with any secret and any redirect URI.")
    static let registration = Option.optional(
        "registration", .oneOf("WHO") as ValueReader<Registration>, in: clientGroup, environment: "PAWL_REGISTRATION",
        defaultNote: "open", "Who may register clients (RFC 7591): everybody or nobody.")
    static let registrationToken = Option.optional(
        "registration-token-file", .file, in: clientGroup, environment: "PAWL_REGISTRATION_TOKEN_FILE",
        "Let register whoever presents the token in this file.")

    enum Registration: String, CaseIterable, Sendable {
        case open, off
    }

    static let algorithm =
        Option.value(
            "alg", .oneOf("ALG"), default: KeysCommand.standardAlgorithm.rawValue, in: tokenGroup,
            environment: "PAWL_ALG",
            "The algorithm that tokens are signed with; ID tokens, unless they have another.")
        as Option<SignatureAlgorithm>
    static let idTokenAlgorithm = Option.optional(
        "id-token-alg", .oneOf("ALG") as ValueReader<SignatureAlgorithm>, in: tokenGroup,
        environment: "PAWL_ID_TOKEN_ALG", defaultNote: "that of --alg", "The algorithm that ID tokens are signed with.")
    static let idTokenLifetime = Option.optional(
        "id-token-lifetime", .wholeSeconds, in: tokenGroup, environment: "PAWL_ID_TOKEN_LIFETIME", defaultNote: "5m",
        "How long an ID token is good.")
    static let refreshLifetime = Option.optional(
        "refresh-lifetime", .wholeSeconds, in: tokenGroup, environment: "PAWL_REFRESH_LIFETIME", defaultNote: "30d",
        "How long after the authorization refresh tokens are good.")
    static let codeLifetime = Option.optional(
        "code-lifetime", .wholeSeconds, in: tokenGroup, environment: "PAWL_CODE_LIFETIME", defaultNote: "1m",
        "How long an authorization code is good.")
    static let refreshRotation = Option.optional(
        "rotation", .rotation, in: tokenGroup, environment: "PAWL_ROTATION", defaultNote: "strict",
        "What becomes of a refresh token that is used, and of one that comes back: okta, or okta,window=5s. "
            + "'pawl rotation list' shows all.")
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
        client.row, publicClient.row, clientFile.row, anyClient.row, registration.row, registrationToken.row,
        crossOrigins.row, algorithm.row, idTokenAlgorithm.row, lifetime.row, idTokenLifetime.row, refreshLifetime.row,
        codeLifetime.row, refreshRotation.row, audience.row, keys.row, rotation.row,
    ]
}
