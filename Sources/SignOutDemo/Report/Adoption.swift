/// What an app writes for it. A test compiles these very lines.
enum Adoption {
    static let lines = [
        #"let cookies = CookieSession("#,
        #"    refresh: "https://app.example/session/refresh", end: "https://app.example/session","#,
        #"    accessCookie: "__Host-access", refreshCookie: "__Secure-refresh")"#,
        #"let session = try SessionManager(cookies: cookies, store: EncryptedFileStore(group: "team.example.app"))"#,
        #"try await session.signIn(by: response, body: body, to: login)  // what the login was answered with"#,
        #"let (answer, data) = try await session.send(request)  // in the app: refreshes when due, once for everybody"#,
        #"let surface = WKWebViewSurface(webView, delegation: .takeOver)"#,
        #"let bridge = WebSessionBridge("#,
        #"    session: SessionPages(session), surface: surface,"#,
        #"    configuration: WebBridgeConfiguration(origins: [origin]))"#,
        #"try await bridge.open("https://app.example/account")  // in the web view: as soon as its cookies are there"#,
    ]

    static let further = [
        ("docs/session-client.md", "how it works, and what else it keeps right"),
        ("Sources/SignOutDemo", "both of these apps, to read"),
        ("make shared-login", "real processes on one login, which are killed over and over"),
        ("pawl rotation list", "the providers; make demo ARGS=\"--rotation okta\" plays another"),
    ]
}
