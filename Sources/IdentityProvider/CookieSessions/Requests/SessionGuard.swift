import HTTPMessages
import OAuth

/// Refuses requests that a page of another site made a browser send: its cookies come along whoever made it send them.
///
/// A browser says by itself where a request comes from, and no page can change it: `Origin` with everything that changes
/// something (Fetch section 3.1), `Sec-Fetch-Site` where it knows that. What says neither is no browser of today, and
/// nobody else adds cookies to requests that others have made.
enum SessionGuard {
    /// - Parameter origins: other origins whose pages may use the session.
    static func check(
        _ request: ServerRequest, as issuer: PreparedIssuer, allowing origins: Set<WebOrigin>
    ) throws(OAuthError) {
        let fields = request.head.headerFields
        if let text = fields[.origin] {
            // `null` is nobody: a sandboxed frame, or a redirect from elsewhere.
            if let origin = WebOrigin(text), origins.contains(origin) { return }
            guard FormGuard.isOurs(text, request, issuer) else { throw refused("Origin") }
        }
        // Fetch Metadata section 2.3. `none`: the user himself.
        guard let site = fields[.secFetchSite] else { return }
        guard site == "same-origin" || site == "none" else { throw refused("Sec-Fetch-Site") }
    }

    private static func refused(_ cause: String) -> OAuthError {
        OAuthError(
            .crossSiteRequest,
            "a page of another origin made the browser send this; the client may list the origin in origins",
            cause: cause)
    }
}
