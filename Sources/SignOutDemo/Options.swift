/// What the demonstration is told.
struct Options {
    /// The rules of a provider by name, as `pawl rotation list` has them.
    var rotation = "strict"
    /// How often the access token expires in the half with the library.
    var expiries = 20
    var wantsJSON = false
    var wantsHelp = false

    static let mostExpiries = 1000

    init(_ arguments: some Sequence<String>) throws(UsageError) {
        var waiting = Array(arguments)[...]
        while let name = waiting.popFirst() {
            switch name {
            case "--rotation": rotation = try Self.value(of: name, &waiting)
            case "--expiries":
                let text = try Self.value(of: name, &waiting)
                guard let number = Int(text), (1...Self.mostExpiries).contains(number) else {
                    throw UsageError("--expiries is a number from 1 to \(Self.mostExpiries), and not \(text)")
                }
                expiries = number
            case "--json": wantsJSON = true
            case "--help", "-h": wantsHelp = true
            default: throw UsageError("there is no option \(name)")
            }
        }
    }

    private static func value(of name: String, _ waiting: inout ArraySlice<String>) throws(UsageError) -> String {
        guard let value = waiting.popFirst() else { throw UsageError("\(name) needs a value") }
        return value
    }

    static let help = """
        An app and the web view inside it share a login. Without the library the user is signed out; with it he is not.

        usage: SignOutDemo [--rotation NAME] [--expiries N] [--json]

          --rotation NAME   Which provider to play: strict (the default), reuse, okta, auth0, supabase, keycloak, hydra,
                            dex, duende, cognito, wso2, oidc-provider; with knobs: okta,window=5s.
                            'pawl rotation explain NAME' says what each does.
          --expiries N      How often the access token expires in the half with the library: 20 unless told otherwise.
          --json            One JSON object at the end, and no text.
          --help            This.

        exit codes
          0   both halves have shown what they are to show
          1   they have not, or the provider could not be started
          2   the command line was not understood
        """
}
