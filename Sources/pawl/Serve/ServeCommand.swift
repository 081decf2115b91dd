/// `pawl serve`
enum ServeCommand {
    static let command = Command(
        "serve", "Run the identity provider",
        discussion: [
            "Issues access tokens to clients, and publishes its keys and its metadata. /health, /ready and /metrics are "
                + "for those who run it.",
            "SIGHUP reads certificates and keys again. SIGTERM and SIGINT let running requests finish, and exit with 0; a "
                + "second one ends the process at once, with 130.",
        ],
        examples: [
            .init(line: "pawl serve", meaning: "HTTP on this machine only, with the client service:secret"),
            .init(line: "pawl serve --tls auto --keys ./keys", meaning: "HTTPS too, and keys that outlast the process"),
            .init(
                line: "pawl serve --listen 127.0.0.1:0 --port-file port --json", meaning: "for a test in any language"),
        ],
        options: ListenOptions.rows + ProviderOptions.rows + ServerOptions.rows + [CommonOptions.json.row]
    ) { (invocation) async throws(CommandFailure) in
        try await ServerProcess(invocation).run()
    }
}
