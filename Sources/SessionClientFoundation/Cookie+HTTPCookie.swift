import Cookies
import Foundation
import Primitives

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension Cookie {
    /// What Foundation knows of a cookie, for stores that take nothing else (S13). What it does not keep is gone: when the cookie
    /// was created, and on Linux `SameSite`.
    ///
    /// It does not go by the way of a header field, which Foundation splits at commas (C9).
    ///
    ///     if let old = cookie.httpCookie() { HTTPCookieStorage.shared.setCookie(old) }
    ///
    /// - Returns: `nil` where Foundation refuses it.
    public func httpCookie() -> HTTPCookie? {
        var properties = identity.properties
        properties[.value] = value
        if let expires {
            properties[.expires] = Date(timeIntervalSince1970: Double(expires.millisecondsSinceEpoch) / 1000)
        }
        if isSecure { properties[.secure] = "TRUE" }
        // Foundation has no name for it, and reads it all the same.
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        #if canImport(Darwin) || canImport(WebKit)
        switch sameSite {
        case .lax: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteLax
        case .strict: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteStrict
        // Foundation knows neither of these, and sends both with every request.
        case .none, .unspecified: break
        }
        #endif
        return HTTPCookie(properties: properties)
    }

    /// What a store of Foundation has given back. A domain that begins with a period is for all hosts below it.
    ///
    ///     let cookies = (storage.cookies ?? []).compactMap { Cookie($0, at: clock.now()) }
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
        #if canImport(Darwin) || canImport(WebKit)
        switch cookie.sameSitePolicy {
        case .some(.sameSiteStrict): return .strict
        case .some(.sameSiteLax): return .lax
        default: return .unspecified
        }
        #else
        return .unspecified
        #endif
    }
}

extension Cookie.Identity {
    /// One of that name, domain and path, which is all that a deletion goes by.
    package func httpCookie() -> HTTPCookie? { HTTPCookie(properties: properties) }

    fileprivate var properties: [HTTPCookiePropertyKey: Any] {
        [
            .name: name, .value: "", .path: path,
            // A leading period says that the hosts below get it too.
            .domain: isHostOnly ? domain : "." + domain,
        ]
    }
}
