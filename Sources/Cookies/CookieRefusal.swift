/// Why a cookie was not taken, by the steps of RFC 6265bis section 5.7.
///
///     do throws(CookieRefusal) { try jar.receive("a=1; Domain=com", from: context, at: now) } catch {
///         print(error)            // Domain is one below which anybody can have a host
///     }
public enum CookieRefusal: String, Error, Hashable, Sendable, CaseIterable {
    case empty
    case controlCharacter
    case delimiter
    case tooLong
    case domainIsNoHost
    case domainIsOfOthers
    case domainIsPublicSuffix
    case pathIsNoPath
    case needsEncryption
    case needsHTTP
    case coversSecureCookie
    case crossSite
    case crossSiteNeedsSecure
    case prefixIsBroken
    case namelessPrefix
    case coversHTTPOnlyCookie
}

extension CookieRefusal: CustomStringConvertible {
    /// For a log: it quotes nothing of the cookie.
    public var description: String {
        switch self {
        case .empty: "it has neither a name nor a value"
        case .controlCharacter: "it holds a control character"
        case .delimiter: "its name holds an equals sign, or it holds a semicolon"
        case .tooLong: "name and value have more than \(Cookie.pairLimit) bytes"
        case .domainIsNoHost: "Domain is no host name in ASCII"
        case .domainIsOfOthers: "Domain does not cover the host that set it"
        case .domainIsPublicSuffix: "Domain is one below which anybody can have a host"
        case .pathIsNoPath: "its path does not begin with a slash, or holds a control character"
        case .needsEncryption: "a Secure cookie came over a connection that is not encrypted"
        case .needsHTTP: "an HttpOnly cookie came from a script"
        case .coversSecureCookie: "it would cover a Secure cookie, over a connection that is not encrypted"
        case .crossSite: "a cookie with SameSite came with a request of another site"
        case .crossSiteNeedsSecure: "SameSite=None goes with Secure"
        case .prefixIsBroken: "it does not keep what the prefix of its name promises"
        case .namelessPrefix: "it has no name, and its value begins like one with a prefix"
        case .coversHTTPOnlyCookie: "a script would replace an HttpOnly cookie"
        }
    }
}
