import OAuth

/// How the provider is reached, as far as it matters to cookies.
struct SessionTransport: Hashable, Sendable {
    let isEncrypted: Bool
    /// Whether what is sent stays within this machine.
    let isLoopback: Bool
    let host: String
    /// `nil` where it goes without saying.
    let port: UInt16?
    /// Where the provider's own paths begin: empty, or a slash and segments.
    let basePath: String

    init(_ issuer: Issuer) {
        isEncrypted = issuer.identifier.hasPrefix("https://")
        let scheme = isEncrypted ? "https://" : "http://"
        let text = String(issuer.identifier.dropFirst(scheme.count).prefix { $0 != "/" })
        let authority = Authority(text)
        host = authority?.host ?? ""
        port = authority?.port
        isLoopback = WebOrigin(scheme + text)?.isLoopback ?? false
        basePath = issuer.basePath
    }
}

extension CookieSessionSettings.PlainHTTP {
    /// Refuses cookies that would travel where anybody could read them.
    func check(_ transport: SessionTransport) throws(OAuthError) {
        guard !transport.isEncrypted else { return }
        switch self {
        case .everywhere: return
        case .loopback where transport.isLoopback: return
        case .loopback:
            throw OAuthError(
                .unusableCookie,
                "over plain http anybody on the way reads cookies: use https, or localhost, or let the client have plain_http: everywhere"
            )
        case .never: throw OAuthError(.unusableCookie, "this client has sessions over https alone (plain_http: never)")
        }
    }
}
