import Cookies

/// A session that the server keeps in two cookies: where it is refreshed and ended, and what the cookies are called.
///
///     let cookies = CookieSession(
///         refresh: "https://app.example/session/refresh", end: "https://app.example/session",
///         accessCookie: "__Host-session", refreshCookie: "__Secure-refresh")
///     let session = try SessionManager(
///         cookies: cookies, store: store, transport: transport, clock: clock, alarm: alarm)
public struct CookieSession: Sendable {
    /// Takes the refresh cookie by POST, and answers with both anew.
    public var refresh: String
    /// Takes either by DELETE, and ends the session.
    public var end: String
    /// What shows who it is. A web view may have it.
    public var accessCookie: String
    /// What gets new ones. It never leaves the app but to ``refresh``.
    public var refreshCookie: String
    /// Which cookies are taken from the server.
    public var policy = CookiePolicy()
    /// When the cookies are refreshed, and how long anybody waits.
    public var timing = SessionTiming()

    /// The URLs are of `https`, or of this machine.
    public init(refresh: String, end: String, accessCookie: String, refreshCookie: String) {
        self.refresh = refresh
        self.end = end
        self.accessCookie = accessCookie
        self.refreshCookie = refreshCookie
    }
}
