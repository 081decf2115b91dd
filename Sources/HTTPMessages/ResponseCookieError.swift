/// Why a cookie cannot be set. Repeats nothing of the cookie.
package enum ResponseCookieError: Error, Hashable, Sendable, CaseIterable, CustomStringConvertible {
    case invalidName
    case invalidValue
    case invalidPath
    case invalidDomain
    case invalidMaxAge
    case tooLong
    case prefixIsBroken
    case crossSiteNeedsSecure

    package var description: String {
        switch self {
        case .invalidName: "a cookie's name is a token"
        case .invalidValue: "a cookie's value is visible ASCII without quotation mark, comma, semicolon and backslash"
        case .invalidPath: "a cookie's path begins with a slash, and is ASCII without control characters and semicolon"
        case .invalidDomain: "a cookie's domain is a host name"
        case .invalidMaxAge: "a cookie's age is a number of whole seconds, not negative"
        case .tooLong: "the cookie is longer than user agents accept"
        case .prefixIsBroken: "__Host- needs Secure, Path=/ and no Domain; __Secure- needs Secure"
        case .crossSiteNeedsSecure: "SameSite=None needs Secure"
        }
    }
}
