import HTTPMessages
import OAuth
import Primitives

/// The two cookies of a client's sessions at a provider that is reached by a certain name.
struct SessionCookies: Sendable {
    let access: SessionCookie
    let refresh: SessionCookie

    init(of clientID: String, _ settings: CookieSessionSettings, by transport: SessionTransport) {
        access = SessionCookie(.access, settings.accessCookie, of: clientID, by: transport)
        refresh = SessionCookie(.refresh, settings.refreshCookie, of: clientID, by: transport)
    }

    /// Those that can be set: whoever gets them has a browser that keeps them.
    init(settable client: SessionClient, by transport: SessionTransport) throws(OAuthError) {
        try client.settings.plainHTTP.check(transport)
        self.init(of: client.client.id, client.settings, by: transport)
        try access.check(transport)
        try refresh.check(transport)
        try access.checkPath(transport.basePath + SessionEndpoint.location)
        try refresh.checkPath(transport.basePath + SessionRefreshEndpoint.location)
        guard !sameText(access.name, refresh.name) else {
            throw OAuthError(.unusableCookie, "both cookies of the client have the same name")
        }
    }

    subscript(kind: SessionCookie.Kind) -> SessionCookie { kind == .access ? access : refresh }

    /// Takes both away.
    var expired: [ResponseCookie] { [access.expired, refresh.expired].compactMap(\.self) }
}
