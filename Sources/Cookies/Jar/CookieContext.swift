/// Who receives or asks for cookies, and where (RFC 6265bis sections 5.2 and 5.8).
///
///     let context = CookieContext(url: url)                                    // a request of our own
///     let foreign = CookieContext(url: url, origin: .crossSite)                // an image in a page of another site
///     let script = CookieContext(url: url, access: .script)                    // document.cookie
public struct CookieContext: Hashable, Sendable {
    /// For what the request is, or where the page is.
    public var url: CookieURL
    /// Where the request began.
    public var origin: Origin
    /// By which way the cookies come and go.
    public var access: Access

    /// Where the request began.
    public enum Origin: Hashable, Sendable {
        /// At the same site, or with nobody's page at all, as a request of an app does.
        case sameSite
        /// At another site, and it fills the window: a link that is followed (`isSafe`: by GET or HEAD), a form that is sent.
        case topLevelNavigation(isSafe: Bool)
        /// At another site, inside of its page.
        case crossSite
    }

    /// By which way cookies come and go.
    public enum Access: Hashable, Sendable {
        /// By fields of HTTP.
        case http
        /// By whatever else: a script of the page above all.
        case script
    }

    /// Without more, a request that an app sends by itself.
    public init(url: CookieURL, origin: Origin = .sameSite, access: Access = .http) {
        self.url = url
        self.origin = origin
        self.access = access
    }
}

/// What a jar decides by, besides the standard.
///
///     var policy = CookiePolicy()
///     policy.secureOrigins = .encryptedOrLoopback             // for a server on this machine, without TLS
///     let jar = CookieJar(policy: policy)
public struct CookiePolicy: Sendable {
    /// Below which domains anybody can have a host.
    public var publicSuffixes: PublicSuffixList = .shipped
    /// RFC 6265bis section 6.1 asks for 50 at the least; this is what the large browsers keep.
    public var cookiesPerDomain = 180
    /// RFC 6265bis section 6.1 asks for as many.
    public var cookiesInAll = 3000
    /// To which servers `Secure` cookies go.
    public var secureOrigins = SecureOrigins.encrypted

    /// Over which connections `Secure` cookies come and go: "as defined by the user agent" (RFC 6265bis section 5.7).
    public enum SecureOrigins: Hashable, Sendable {
        /// Encrypted ones, as WebKit has it.
        case encrypted
        /// And those to this machine, as Chromium and Firefox have it.
        case encryptedOrLoopback
    }

    /// The limits of the large browsers, and the list that ships.
    public init() {}

    func isSecure(_ url: CookieURL) -> Bool {
        url.isEncrypted || secureOrigins == .encryptedOrLoopback && url.host.isLoopback
    }
}
