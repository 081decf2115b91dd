import JOSE
import OAuth
import Primitives

/// Every member that says how a provider behaves. Another one is another row: the file, its schema, the control API and
/// what that says of itself follow from it.
extension ConfigurationMember {
    /// What is said once for the whole process, and not for each tenant.
    static let rootOnly: [Self] = [issuer, outboundAuthorities]

    static let policies: [Self] = [
        section(
            "access_tokens", accessTokens, "Access tokens. A client may have another format, algorithm or lifetime."),
        section("id_tokens", idTokens, "ID tokens (OpenID Connect Core section 2)."),
        section("lifetimes", lifetimes, "How long other things are good."),
        rotation,
        crossOrigins.staying(because: "answers to other origins are prepared when the provider starts"),
        options("allow", allowances, \.allowances, "What a real provider must never allow, and a tester may want."),
        legacy,
        section("sign_in", signIn, "How users log in."),
        section("client_secrets", clientSecrets, "How often secrets of clients may be tried."),
        registration,
        section("dpop", proofs, "Proofs of possession (RFC 9449)."),
        flag(
            "require_pushed_authorization_requests", \.requiresPushedRequests,
            "Whether authorization requests must be pushed (RFC 9126), whatever the client says."),
        choice(
            "access_token_revocation", \.accessTokenRevocation,
            "What ends when a client revokes an access token: it alone, or all that was authorised with it."),
        trustedIssuers, pairwiseSalt, contextClasses, claims, metadata,
        control.staying(because: "whoever uses the control API must not be able to shut others out of it"),
        count(
            "recorded_requests", 0...RequestRecords.maximumCapacity, \.recordedRequests,
            "How many of the last requests are kept for the control API."
        ).staying(because: "the room for them is made when the provider starts"),
    ]

    private static let accessTokens: [Self] = [
        choice(
            "alg", \.accessTokens.algorithm, "The algorithm that signs them; ID tokens too, unless they say theirs."),
        duration("lifetime", \.accessTokens.lifetime, "How long they are good."),
        audience,
        choice(
            "format", \.accessTokens.format,
            "jwt: signed (RFC 9068), unless a client wants opaque ones. opaque: those of every client mean nothing to others."
        ),
    ]

    private static let idTokens: [Self] = [
        idTokenAlgorithm,
        duration("lifetime", \.idTokens.lifetime, "How long they are good."),
        choice(
            "user_claims", \.idTokens.userClaims,
            "Whether they hold the claims that the scope stands for: always, or only where no access token gets them."),
    ]

    private static let lifetimes: [Self] = [
        duration("authorization_code", \.lifetimes.authorizationCode, "From the authorization to the token request."),
        duration("refresh_token", \.lifetimes.refreshTokens, "From the authorization on; rotation does not extend it."),
        duration("login", \.lifetimes.login, "Of a login in a browser."),
        duration("interaction", \.lifetimes.interaction, "How long a user may take over the pages of a login."),
        duration("pushed_request", \.lifetimes.pushedRequest, "Of a pushed authorization request (RFC 9126)."),
        duration(
            "device_code", \.lifetimes.deviceCode, "How long a user has to enter the code of a device (RFC 8628)."),
        duration(
            "device_poll_interval", \.lifetimes.devicePollInterval,
            "The least time between two questions of a device."),
        duration(
            "assertion", \.lifetimes.assertion, "The longest that an assertion of a client may be good (RFC 7523)."),
    ]

    private static let signIn: [Self] = [
        choice("page", \.signIn.page, "users: they are offered as buttons, and a form besides. form: the form alone."),
        count(
            "failures_allowed", 1...1_000_000, \.signIn.failuresAllowed,
            "Wrong passwords for a username within failure_window, before none is looked at."),
        duration("failure_window", \.signIn.failureWindow, "How long wrong passwords are counted."),
    ]

    private static let clientSecrets: [Self] = [
        count(
            "failures_allowed", 1...1_000_000, \.clientSecrets.failuresAllowed,
            "Wrong secrets for a client from one address within failure_window, before none is looked at."),
        duration("failure_window", \.clientSecrets.failureWindow, "How long wrong secrets are counted."),
    ]

    private static let proofs: [Self] = [
        duration("leeway", \.proofs.leeway, "How far iat may be from now, either way."),
        choice("nonce", \.proofs.nonce, "Whether proofs must carry a nonce of the provider."),
        duration("nonce_lifetime", \.proofs.nonceLifetime, "How long a nonce is good."),
    ]

    private static let allowances: [(name: String, value: Allowances)] = [
        ("any_client", .anyClient), ("any_user", .anyUser), ("auto_login", .automaticLogin),
    ]

    /// Elements of a list of texts.
    static let maximumTextCount = 64
}
