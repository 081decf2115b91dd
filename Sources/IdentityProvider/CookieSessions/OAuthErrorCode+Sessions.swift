import OAuth

/// What is said of sessions in cookies, where no standard has a code.
extension OAuthErrorCode {
    /// There is no cookie of a session.
    static let noSession = Self("no_session", status: 401)
    /// Two tokens came, and nobody can tell which is meant. None was spent.
    static let ambiguousSession = Self("ambiguous_session", status: 400)
    /// A cookie holds what this provider never put there. Nothing was spent.
    static let malformedCookie = Self("malformed_cookie", status: 400)
    /// A page of another site made the browser send it.
    static let crossSiteRequest = Self("cross_site_request", status: 403)
    /// A browser would not keep the cookies, or not send them back.
    static let unusableCookie = Self("unusable_cookie", status: 400)
}
