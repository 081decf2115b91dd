import Primitives

/// That a client may have its sessions in cookies, at `/session`, and what they look like.
///
///     var app = TestClient.publicApp("app", redirectURI: "http://127.0.0.1/callback")
///     app.cookieSession = TestCookieSession(origins: ["http://localhost:3000"])
///     app.cookieSession?.accessCookie.lifetime = .seconds(86_400)
///     try await idp.clients.add(app)
public struct TestCookieSession: Hashable, Sendable {
    /// The cookie with the access token.
    public var accessCookie = TestSessionCookie()
    /// The cookie with the refresh token.
    public var refreshCookie = TestSessionCookie()
    /// Pages of which other origins may use the session.
    public var origins: [String]
    /// The clients that a session may be forked for.
    public var forkTo: [String]
    /// Whether `DELETE /session` ends the login too, with every session that hangs on it.
    public var endsLogin: Bool
    /// Whether a refresh takes away the cookies of a session that is over for good: also those of a newer one, when the answer
    /// comes late.
    public var expiresCookiesAfterRefusal = false

    /// Sessions that look as they do without any configuration.
    ///
    ///     let sessions = TestCookieSession(forkTo: ["webview"], endsLogin: true)
    public init(origins: [String] = [], forkTo: [String] = [], endsLogin: Bool = false) {
        self.origins = origins
        self.forkTo = forkTo
        self.endsLogin = endsLogin
    }
}

extension TestCookieSession {
    var json: JSON {
        [
            "access_cookie": accessCookie.json, "refresh_cookie": refreshCookie.json,
            "origins": .array(origins.map { .string($0) }), "fork_to": .array(forkTo.map { .string($0) }),
            "sign_out": endsLogin ? "login" : "session",
            "after_refusal": expiresCookiesAfterRefusal ? "expire" : "keep",
        ]
    }
}
