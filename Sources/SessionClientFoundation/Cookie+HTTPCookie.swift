import Cookies
import Foundation
import Primitives

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Cookie {
    /// What Foundation knows of a cookie, for stores that take nothing else (S13).
    ///
    /// It goes by the way of a header field, since the properties of `HTTPCookie` have no documented key for `HttpOnly`. What
    /// Foundation does not keep is gone: when the cookie was created, milliseconds of its end, and on Linux `SameSite`.
    ///
    /// - Returns: `nil` where Foundation refuses it.
    public func httpCookie() -> HTTPCookie? {
        var field = name + "=" + value + "; Path=" + path
        if !isHostOnly { field += "; Domain=" + domain }
        if let expires { field += "; Expires=" + expires.httpDate }
        if isSecure { field += "; Secure" }
        if isHTTPOnly { field += "; HttpOnly" }
        switch sameSite {
        case .strict: field += "; SameSite=Strict"
        case .lax: field += "; SameSite=Lax"
        case .none: field += "; SameSite=None"
        case .unspecified: break
        }
        let host = domain.utf8.contains(UInt8(ascii: ":")) ? "[\(domain)]" : domain
        guard let url = URL(string: "https://\(host)\(path)") else { return nil }
        return HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": field], for: url).first
    }

    /// What a store of Foundation has given back. A domain that begins with a period is for all hosts below it.
    ///
    /// - Returns: `nil` where no server can have set it.
    public init?(_ cookie: HTTPCookie, at now: Timestamp) {
        let hasPeriod = cookie.domain.utf8.first == UInt8(ascii: ".")
        guard let host = CookieHost(hasPeriod ? String(cookie.domain.dropFirst()) : cookie.domain) else { return nil }
        let expires = cookie.expiresDate.map { date in
            let milliseconds = min(max(date.timeIntervalSince1970 * 1000, -9e15), 9e15)
            return Timestamp(millisecondsSinceEpoch: Int64(milliseconds.rounded()))
        }
        self.init(
            name: cookie.name, value: cookie.value, domain: host.text, isHostOnly: !hasPeriod, path: cookie.path,
            expires: cookie.isSessionOnly ? nil : expires, isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly,
            sameSite: Self.sameSite(of: cookie), at: now)
        guard refusal == nil else { return nil }
    }

    private static func sameSite(of cookie: HTTPCookie) -> SameSite {
        #if canImport(Darwin)
        switch cookie.sameSitePolicy {
        case .sameSiteStrict?: return .strict
        case .sameSiteLax?: return .lax
        default: return .unspecified
        }
        #else
        return .unspecified
        #endif
    }
}
