import HTTPMessages
import OAuth
import Primitives

/// What a proxy goes by.
package struct ProxyConfiguration: Sendable {
    package let origin: PublicOrigin
    package let upstream: UpstreamAddress
    package let paths: ProxyPaths
    package let redirectURI: RedirectURI
    /// What is asked for at a login.
    package var scope: Scope
    package var lifetimes = ProxyLifetimes()
    package var limits = ProxyLimits()
    /// With which requests of other sites the browser sends the session.
    package var sameSite = ResponseCookie.SameSite.lax
    /// Whether the session outlives the browser's run (S20).
    package var outlivesTheBrowser = false
    /// What the session's cookie is called, without a prefix.
    package var cookieName: String
    /// Whether an app may hand over a session of its own (S18).
    package var takesSessions = false

    package static let standardCookieName = "pawl_session"

    package init(
        origin: PublicOrigin, upstream: UpstreamAddress, paths: ProxyPaths = .standard, scope: Scope,
        cookieName: String = standardCookieName
    ) throws(ProxyConfigurationError) {
        // A session in the clear is anybody's, except on this machine (RFC 6265 section 8.3).
        guard origin.isEncrypted || origin.isLoopback else { throw .notEncrypted }
        guard ProxyCookies.isName(cookieName) else { throw .badCookieName }
        guard let redirectURI = try? RedirectURI(origin.text + paths.callback) else { throw .badPath }
        self.origin = origin
        self.upstream = upstream
        self.paths = paths
        self.redirectURI = redirectURI
        self.scope = scope
        self.cookieName = cookieName
    }
}
