import HTTPMessages

/// How the sessions of a client look in cookies.
extension ConfigurationShape {
    static let cookieSession = named(
        CookieSessionSettings.memberName,
        record([
            field("access_cookie", sessionCookie, "The cookie with the access token."),
            field("refresh_cookie", sessionCookie, "The cookie with the refresh token."),
            field(
                "sign_in", list(words(CookieSessionSettings.SignIn.self), count: 1...2),
                "How a session may begin. Left out: with a password or with an authorization code."),
            field(
                "sign_out", words(CookieSessionSettings.SignOut.self),
                "session: that session ends. login: the login too, with every session that hangs on it."),
            field(
                "origins", list(text(.plain), count: 0...maximumOriginCount),
                "Pages of which other origins may use the session: https://app.example."),
            field(
                "fork_to", list(text(.identifier), count: 0...maximumOriginCount),
                "The clients that a session may be forked for."),
            field(
                "plain_http", words(CookieSessionSettings.PlainHTTP.self),
                "Where cookies may travel without encryption. everywhere: whoever is on the way reads them."),
            field(
                "after_refusal", words(CookieSessionSettings.AfterRefusal.self),
                "Whether a refresh takes away the cookies of a session that is over for good. expire: also those of a newer one, when the answer comes late."
            ),
        ]))

    private static let maximumOriginCount = 64

    private static let sessionCookie = named(
        "session_cookie",
        record([
            field("name", text(.plain), "Without its prefix. Left out: one of the client's own."),
            field(
                "prefix", words(SessionCookieSettings.Prefix.self),
                "Left out: __Host- where the path is /, __Secure- elsewhere, none without encryption."),
            field("domain", text(.plain), "Left out: the host alone."),
            field("path", text(.plain), "Left out: /, or /session for the refresh token."),
            field(
                "persistence", words(SessionCookieSettings.Persistence.self),
                "How it is said when it ends. session: with the browser."),
            field("lifetime", named("duration", duration), "Left out: that of the token."),
            field("secure", flag, "Left out: wherever there is encryption."),
            field("http_only", flag, "false: scripts of the page read the token."),
            field(
                "same_site", choice(ResponseCookie.SameSite.allCases.map(\.rawValue)),
                "Left out: Lax, or Strict for the refresh token."),
        ]))

    private static func field(
        _ name: String, _ shape: ConfigurationShape, _ help: String
    ) -> ConfigurationField { ConfigurationField(name, shape, help) }

    private static func words<Value: RawRepresentable<String> & CaseIterable>(_: Value.Type) -> ConfigurationShape {
        choice(Value.allCases.map(\.rawValue))
    }
}
