/// `pawl serve`
enum ServeCommand {
    static let command = Command(
        "serve", "Run the identity provider",
        discussion: [
            "OAuth 2.0 and OpenID Connect. Users and clients are there without any configuration; the start shows how to "
                + "use them. /health, /ready and /metrics are for those who run it.",
            "Options count more than variables, these more than the file of --config, and that more than the defaults.",
            "SIGHUP reads the configuration, certificates and keys again. SIGTERM and SIGINT let running requests finish, and exit with 0; a "
                + "second one ends the process at once, with 130.",
        ],
        examples: [
            .init(line: "pawl serve", meaning: "HTTP on this machine only, with users and clients to try it"),
            .init(
                line: "pawl serve --user carol --public-client app:http://localhost:3000/callback",
                meaning: "one user and one application"),
            .init(line: "pawl serve --config config.json", meaning: "all of it from a file"),
            .init(line: "pawl serve --tls auto --keys ./keys", meaning: "HTTPS too, and keys that outlast the process"),
            .init(line: "pawl serve --data ./data", meaning: "logins, refresh tokens and keys outlast the process"),
            .init(
                line: "pawl serve --port 0 --port-file port --json", meaning: "for a test in any language"),
        ],
        options: ListenOptions.rows + DataOptions.rows + UserOptions.rows + UserOptions.loginRows + ProviderOptions.rows
            + ControlOptions.rows + ServerOptions.rows + [CommonOptions.json.row]
    ) { (invocation) async throws(CommandFailure) in
        try await ServerProcess(invocation).run()
    }
}
