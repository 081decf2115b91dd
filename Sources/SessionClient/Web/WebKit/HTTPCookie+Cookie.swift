#if canImport(WebKit)
import Cookies
import Foundation
import Primitives
import WebKit

extension HTTPCookie {
    /// `nil`: Foundation takes it for none.
    convenience init?(_ cookie: Cookie) {
        var properties = Self.properties(of: cookie.identity)
        properties[.value] = cookie.value
        if let expires = cookie.expires {
            properties[.expires] = Date(timeIntervalSince1970: Double(expires.millisecondsSinceEpoch) / 1000)
        }
        if cookie.isSecure { properties[.secure] = "TRUE" }
        // Foundation has no name for it, and reads it all the same.
        if cookie.isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        switch cookie.sameSite {
        case .lax: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteLax
        case .strict: properties[.sameSitePolicy] = HTTPCookieStringPolicy.sameSiteStrict
        // Foundation knows neither of these, and sends both with every request.
        case .none, .unspecified: break
        }
        self.init(properties: properties)
    }

    /// One of that name, domain and path, which is all that a deletion goes by.
    convenience init?(_ identity: Cookie.Identity) {
        self.init(properties: Self.properties(of: identity))
    }

    private static func properties(of identity: Cookie.Identity) -> [HTTPCookiePropertyKey: Any] {
        [
            .name: identity.name, .value: "", .path: identity.path,
            // A leading period says that the hosts below get it too.
            .domain: identity.isHostOnly ? identity.domain : "." + identity.domain,
        ]
    }
}

extension Cookie {
    /// `nil`: it is none that may be sent.
    init?(_ cookie: HTTPCookie, at now: Timestamp) {
        let isHostOnly = !cookie.domain.hasPrefix(".")
        self.init(
            name: cookie.name, value: cookie.value,
            domain: (isHostOnly ? cookie.domain : String(cookie.domain.dropFirst())).lowercased(),
            isHostOnly: isHostOnly, path: cookie.path,
            expires: cookie.isSessionOnly
                ? nil
                : cookie.expiresDate.map {
                    Timestamp(millisecondsSinceEpoch: Int64(($0.timeIntervalSince1970 * 1000).rounded()))
                },
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly,
            sameSite: Self.sameSite(cookie.sameSitePolicy), at: now)
        guard refusal == nil else { return nil }
    }

    private static func sameSite(_ policy: HTTPCookieStringPolicy?) -> SameSite {
        switch policy {
        case .some(.sameSiteLax): .lax
        case .some(.sameSiteStrict): .strict
        default: .unspecified
        }
    }
}
#endif
