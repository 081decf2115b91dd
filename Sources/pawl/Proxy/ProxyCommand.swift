/// `pawl proxy`
enum ProxyCommand {
    static let command = Command(
        "proxy", "Hold the tokens of pages: they have a cookie, and their requests go on with a token",
        discussion: [
            "Stands before a server that wants access tokens. A page signs in by going there: it gets one opaque cookie, and the "
                + "proxy sends what it asks on to --upstream with the token of its session, refreshed once for everybody who "
                + "waits. No page, and no script in it, ever has a token.",
            "GET /_session says who is signed in, /_session/login?return_to=/PATH signs in, POST /_session/logout signs out "
                + "(everywhere=true: all sessions of the user). All other paths are the upstream's. The provider must know the "
                + "redirect URI, which is the public URL with /_session/callback.",
            "Sessions are in memory: after a restart the provider is asked again, which still knows the user. SIGTERM and "
                + "SIGINT let running requests finish and give all tokens back; SIGHUP reads certificates and authorities again.",
        ],
        examples: [
            .init(
                line: "pawl serve --public-client app:http://127.0.0.1:8090/_session/callback",
                meaning: "a provider that knows the proxy as 'app'"),
            .init(
                line: "pawl proxy --upstream http://127.0.0.1:3000 --issuer http://127.0.0.1:8080 --client-id app",
                meaning: "and the proxy: open http://127.0.0.1:8090/"),
            .init(
                line: "pawl proxy --upstream http://127.0.0.1:3000 --issuer https://id.example --client-id app "
                    + "--client-secret-file secret --public-url https://app.example --no-http --tls-listen 0.0.0.0:443 "
                    + "--tls-cert cert.pem --tls-key key.pem",
                meaning: "before an application that the world uses"),
        ],
        options: ProxyOptions.rows + [CommonOptions.json.row]
    ) { (invocation) async throws(CommandFailure) in
        try await ProxyProcess(invocation).run()
    }
}
