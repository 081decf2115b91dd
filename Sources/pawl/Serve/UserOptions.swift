import IdentityProvider

/// The configuration file, who can log in, and how.
enum UserOptions {
    static let configurationGroup = OptionGroup(title: "Configuration")
    static let group = OptionGroup(title: "Users and logins")

    static let configuration = Option.optional(
        "config", short: "c", .file, in: configurationGroup, environment: "PAWL_CONFIG",
        "Users, clients, policies and tenants, as JSON ('pawl config schema', 'pawl config check'). What is given here "
            + "beside it counts more, and variables too. Read again at SIGHUP.")

    static let setting = Option.list(
        "set", .setting, in: configurationGroup, environment: "PAWL_SET",
        "A member of the configuration by itself, over the file: access_tokens.format=opaque. The value is JSON, or a text as "
            + "it is; an option of its own, or its variable, counts more.")

    static let user = Option.list(
        "user", short: "u", UserText.reader, in: group, environment: "PAWL_USER",
        defaultNote: "alice, bob, minji and haruto, whose passwords are their names, unless there is another",
        "Somebody who can log in; without a password, any will do.")
    static let anyUser = Option.flag(
        "any-user", in: group, environment: "PAWL_ANY_USER", "Take whoever logs in for a user, with any password.")
    static let automaticLogin = Option.flag(
        "auto-login", in: group, environment: "PAWL_AUTO_LOGIN",
        "Ask nobody who he is: log in the user of login_hint, or else the first one.")
    static let page = Option.optional(
        "sign-in-page", .oneOf("PAGE") as ValueReader<SignInPolicy.Page>, in: group, environment: "PAWL_SIGN_IN_PAGE",
        defaultNote: "users", "users: offer them as buttons, and a form besides. form: the form alone.")
    static let loginLifetime = Option.optional(
        "login-lifetime", .wholeSeconds, in: group, environment: "PAWL_LOGIN_LIFETIME", defaultNote: "12h",
        "How long a login in a browser is good.")
    static let legacy = Option.list(
        "allow-legacy", .oneOf("FEATURE") as ValueReader<LegacyFeature>, in: group, environment: "PAWL_ALLOW_LEGACY",
        "Allow what RFC 9700 advises against, for old applications.")

    static let rows = [configuration.row, setting.row]
    static let loginRows = [
        user.row, anyUser.row, automaticLogin.row, page.row, loginLifetime.row, legacy.row,
    ]
}
